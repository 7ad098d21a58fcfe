import{a,b,c}from"./chunk-TGEGSND5.js";import"./chunk-NC5RW6C2.js";import"./chunk-PNRATTTA.js";import"./chunk-N52QNJCG.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-RX2TUUGO.js.map
