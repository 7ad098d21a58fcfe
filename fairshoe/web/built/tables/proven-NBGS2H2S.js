import{a,b,c}from"./chunk-K7D3KZ5B.js";import"./chunk-MSUSTBOB.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-NBGS2H2S.js.map
