import{a,b,c}from"./chunk-QFLQ5G2M.js";import"./chunk-55DQD22L.js";import"./chunk-K5UAA2YI.js";import"./chunk-AKE2STPJ.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-KBXFKMMM.js.map
