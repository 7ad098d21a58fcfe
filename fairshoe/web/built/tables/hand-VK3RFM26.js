import{b as a,c as b,d as c,e as d}from"./chunk-X5MELLL3.js";import"./chunk-DR35GE3L.js";import"./chunk-RIZ5SHHU.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-VK3RFM26.js.map
