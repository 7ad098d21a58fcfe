import{a,b,c}from"./chunk-42JOSMF4.js";import"./chunk-6MYJWBNJ.js";import"./chunk-SWPCSTCG.js";import"./chunk-DRNMXVXJ.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-6GJUEJED.js.map
