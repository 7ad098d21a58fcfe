import{a as e}from"./chunk-3W6PSPC2.js";import"./chunk-RFKDOF52.js";import"./chunk-MBTSWOTY.js";import"./chunk-BBUCJI4P.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
