import{b as a,c as b,d as c,e as d}from"./chunk-YT7ZRQWE.js";import"./chunk-SSNF26QW.js";import"./chunk-AC6CWP6O.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-TNLPFCK5.js.map
