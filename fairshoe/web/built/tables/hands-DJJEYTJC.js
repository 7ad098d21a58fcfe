import{a,b}from"./chunk-CB76FEYU.js";import"./chunk-VMZQHJRQ.js";import"./chunk-APPB5EX4.js";import"./chunk-QWA63JB5.js";import"./chunk-UTT6FA27.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-DJJEYTJC.js.map
