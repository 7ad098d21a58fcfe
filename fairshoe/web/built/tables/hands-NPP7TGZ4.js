import{a,b}from"./chunk-RG7P3OTC.js";import"./chunk-7LFDESQF.js";import"./chunk-GBLIN3XC.js";import"./chunk-KIUY7B3I.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-NPP7TGZ4.js.map
