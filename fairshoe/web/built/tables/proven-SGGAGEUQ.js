import{a,b,c}from"./chunk-MCZNHRXR.js";import"./chunk-L3CELX4G.js";import"./chunk-A3U2YEIC.js";import"./chunk-PFCVPJT6.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-SGGAGEUQ.js.map
