import{a}from"./chunk-AED72FPT.js";import"./chunk-DUGCDTM7.js";import"./chunk-BMVV5PVN.js";import"./chunk-YT7ZRQWE.js";import"./chunk-SSNF26QW.js";import"./chunk-AC6CWP6O.js";export{a as judge};
//# sourceMappingURL=hands-B6K55BMA.js.map
