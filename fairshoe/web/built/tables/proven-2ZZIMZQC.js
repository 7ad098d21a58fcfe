import{a,b,c}from"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-2ZZIMZQC.js.map
