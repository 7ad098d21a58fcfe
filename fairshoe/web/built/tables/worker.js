import{a as e}from"./chunk-WP5ISB73.js";import"./chunk-RFKDOF52.js";import"./chunk-XUPECY6B.js";import"./chunk-BBUCJI4P.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
