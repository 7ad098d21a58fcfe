import{b as a,c as b,d as c,e as d}from"./chunk-TRWXL2FJ.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-Y6QCLGF3.js.map
