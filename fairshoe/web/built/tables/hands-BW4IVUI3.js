import{a,b}from"./chunk-4MMGVIRW.js";import"./chunk-UZ526GEX.js";import"./chunk-RHD57SDQ.js";import"./chunk-K7D3KZ5B.js";import"./chunk-MSUSTBOB.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-BW4IVUI3.js.map
