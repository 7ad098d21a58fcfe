import{a}from"./chunk-5KR3ZGIG.js";import"./chunk-TOP2PSP4.js";import"./chunk-OCL64IV7.js";import"./chunk-42JOSMF4.js";import"./chunk-6MYJWBNJ.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
