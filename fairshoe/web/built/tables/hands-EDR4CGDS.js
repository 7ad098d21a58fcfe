import{a,b}from"./chunk-5KR3ZGIG.js";import"./chunk-TOP2PSP4.js";import"./chunk-OCL64IV7.js";import"./chunk-42JOSMF4.js";import"./chunk-6MYJWBNJ.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-EDR4CGDS.js.map
