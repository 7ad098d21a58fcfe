import{a}from"./chunk-JR4RWJLE.js";import"./chunk-ZRMQMFO6.js";import"./chunk-UVMB5L4C.js";import"./chunk-42JOSMF4.js";import"./chunk-6MYJWBNJ.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
