import{a}from"./chunk-4MMGVIRW.js";import"./chunk-UZ526GEX.js";import"./chunk-RHD57SDQ.js";import"./chunk-K7D3KZ5B.js";import"./chunk-MSUSTBOB.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
