import{a}from"./chunk-LXJPOPOL.js";import"./chunk-UNCUXFL3.js";import"./chunk-JVLNGIDZ.js";import"./chunk-KDGA3VJT.js";export{a as judge};
//# sourceMappingURL=hands-NNXB2EQO.js.map
