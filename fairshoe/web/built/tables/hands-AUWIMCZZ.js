import{a,b}from"./chunk-EQ5IGQBR.js";import"./chunk-5R5TR4DI.js";import"./chunk-WSKOLR27.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-AUWIMCZZ.js.map
