import{a,b,c}from"./chunk-JT4Q55OY.js";import"./chunk-FRBUU22Z.js";import"./chunk-IVGBPM5Q.js";import"./chunk-PXFFGBHF.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-SO6ZOVFE.js.map
