import{a as e}from"./chunk-ROZLTZK4.js";import"./chunk-SZHSVS45.js";import"./chunk-BMVV5PVN.js";import"./chunk-5OS5ZUZP.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
