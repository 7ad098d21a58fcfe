import{a as e}from"./chunk-AED72FPT.js";import"./chunk-DUGCDTM7.js";import"./chunk-BMVV5PVN.js";import"./chunk-YT7ZRQWE.js";import"./chunk-SSNF26QW.js";import"./chunk-AC6CWP6O.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
