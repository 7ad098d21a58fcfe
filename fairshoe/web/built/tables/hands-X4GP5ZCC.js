import{a,b}from"./chunk-ERB7FAZJ.js";import"./chunk-RYCI67NY.js";import"./chunk-APPB5EX4.js";import"./chunk-QWA63JB5.js";import"./chunk-UTT6FA27.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-X4GP5ZCC.js.map
