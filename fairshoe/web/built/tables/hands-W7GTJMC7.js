import{a,b}from"./chunk-KISXQJEH.js";import"./chunk-FY626GYV.js";import"./chunk-RHD57SDQ.js";import"./chunk-LZRZV6JN.js";import"./chunk-VN66MGO6.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-W7GTJMC7.js.map
