import{a,b,c}from"./chunk-AIIQQX6U.js";import"./chunk-Y4SXKNQV.js";import"./chunk-S56IFIWP.js";import"./chunk-TSSO5S67.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-SCFK5TOM.js.map
