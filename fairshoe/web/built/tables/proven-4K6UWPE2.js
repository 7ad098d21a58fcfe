import{a,b,c}from"./chunk-QWA63JB5.js";import"./chunk-UTT6FA27.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-4K6UWPE2.js.map
