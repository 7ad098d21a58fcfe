import{a as e}from"./chunk-AIBVHRLF.js";import"./chunk-RFKDOF52.js";import"./chunk-SUAMVOXU.js";import"./chunk-BBUCJI4P.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
