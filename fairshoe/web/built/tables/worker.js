import{a}from"./chunk-KISXQJEH.js";import"./chunk-FY626GYV.js";import"./chunk-RHD57SDQ.js";import"./chunk-LZRZV6JN.js";import"./chunk-VN66MGO6.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
