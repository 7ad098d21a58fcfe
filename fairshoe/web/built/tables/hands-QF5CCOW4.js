import{a,b}from"./chunk-YD27KF2F.js";import"./chunk-U5UBDV2O.js";import"./chunk-KIUY7B3I.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-QF5CCOW4.js.map
