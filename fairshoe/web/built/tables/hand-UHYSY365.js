import{b as a,c as b,d as c,e as d}from"./chunk-5OS5ZUZP.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-UHYSY365.js.map
