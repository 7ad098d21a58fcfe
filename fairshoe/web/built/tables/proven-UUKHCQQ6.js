import{a,b,c}from"./chunk-CSB377VV.js";import"./chunk-3PZPRRQU.js";import"./chunk-S56IFIWP.js";import"./chunk-TSSO5S67.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-UUKHCQQ6.js.map
