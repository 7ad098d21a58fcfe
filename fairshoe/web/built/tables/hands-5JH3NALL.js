import{a,b}from"./chunk-ZAN32YA5.js";import"./chunk-6AFPFHC6.js";import"./chunk-APPB5EX4.js";import"./chunk-QWA63JB5.js";import"./chunk-UTT6FA27.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-5JH3NALL.js.map
