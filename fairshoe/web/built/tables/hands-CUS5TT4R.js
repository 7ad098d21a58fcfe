import{a,b}from"./chunk-JR4RWJLE.js";import"./chunk-ZRMQMFO6.js";import"./chunk-UVMB5L4C.js";import"./chunk-42JOSMF4.js";import"./chunk-6MYJWBNJ.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-CUS5TT4R.js.map
