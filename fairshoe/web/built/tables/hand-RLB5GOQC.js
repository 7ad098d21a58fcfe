import{b as a,c as b,d as c,e as d}from"./chunk-JVLNGIDZ.js";import"./chunk-KDGA3VJT.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-RLB5GOQC.js.map
