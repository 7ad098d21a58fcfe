import{a,b}from"./chunk-LM732OJ4.js";import"./chunk-ZXXFPA7J.js";import"./chunk-RHD57SDQ.js";import"./chunk-K7D3KZ5B.js";import"./chunk-MSUSTBOB.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-R656J2DF.js.map
