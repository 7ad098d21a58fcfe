import{a}from"./chunk-CB76FEYU.js";import"./chunk-VMZQHJRQ.js";import"./chunk-APPB5EX4.js";import"./chunk-QWA63JB5.js";import"./chunk-UTT6FA27.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
