import{a,b}from"./chunk-S6NQRMML.js";import"./chunk-UNIKIYIP.js";import"./chunk-O4V4MAMT.js";import"./chunk-4OUKRLAG.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-N5SHOZ5Y.js.map
