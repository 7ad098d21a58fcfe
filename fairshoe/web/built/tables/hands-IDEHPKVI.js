import{a}from"./chunk-AIBVHRLF.js";import"./chunk-RFKDOF52.js";import"./chunk-SUAMVOXU.js";import"./chunk-BBUCJI4P.js";export{a as judge};
//# sourceMappingURL=hands-IDEHPKVI.js.map
