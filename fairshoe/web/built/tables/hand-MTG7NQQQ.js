import{b as a,c as b,d as c,e as d}from"./chunk-GURDEAT4.js";import"./chunk-BBUCJI4P.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-MTG7NQQQ.js.map
