import{a as e}from"./chunk-4ZWCE4KF.js";import"./chunk-SZHSVS45.js";import"./chunk-BMVV5PVN.js";import"./chunk-E6UWXE5Q.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
