import{b as a,c as b,d as c,e as d}from"./chunk-77PP775Q.js";import"./chunk-3LO6W44X.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-GL5A2XXB.js.map
