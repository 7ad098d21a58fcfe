import{b as a,c as b,d as c,e as d}from"./chunk-QBR5QCRM.js";import"./chunk-BBUCJI4P.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-VJ7XEX3Y.js.map
