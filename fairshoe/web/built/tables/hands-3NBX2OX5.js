import{a}from"./chunk-LVSSXJUA.js";import"./chunk-SZHSVS45.js";import"./chunk-BMVV5PVN.js";import"./chunk-DLZ526XJ.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";export{a as judge};
//# sourceMappingURL=hands-3NBX2OX5.js.map
