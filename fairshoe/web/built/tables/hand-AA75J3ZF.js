import{b as a,c as b,d as c,e as d}from"./chunk-E6UWXE5Q.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-AA75J3ZF.js.map
