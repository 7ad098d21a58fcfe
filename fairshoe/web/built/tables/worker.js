import{a as e}from"./chunk-LAPT3OFU.js";import"./chunk-RFKDOF52.js";import"./chunk-QBR5QCRM.js";import"./chunk-BBUCJI4P.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
