import{a as e}from"./chunk-ANSWKHT2.js";import"./chunk-AQ4M4WUQ.js";import"./chunk-77PP775Q.js";import"./chunk-3LO6W44X.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
