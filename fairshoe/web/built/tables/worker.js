import{a as e}from"./chunk-LXJPOPOL.js";import"./chunk-UNCUXFL3.js";import"./chunk-JVLNGIDZ.js";import"./chunk-KDGA3VJT.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
