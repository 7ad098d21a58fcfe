import{a}from"./chunk-ANSWKHT2.js";import"./chunk-AQ4M4WUQ.js";import"./chunk-77PP775Q.js";import"./chunk-3LO6W44X.js";export{a as judge};
//# sourceMappingURL=hands-4BJAEF7V.js.map
