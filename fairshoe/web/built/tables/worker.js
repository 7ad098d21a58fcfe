import{a as e}from"./chunk-R4TE4U7C.js";import"./chunk-RFKDOF52.js";import"./chunk-GURDEAT4.js";import"./chunk-BBUCJI4P.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
