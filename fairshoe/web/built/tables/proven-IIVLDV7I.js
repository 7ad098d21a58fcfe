import{a,b,c}from"./chunk-U2CMBCFB.js";import"./chunk-VQSBRSRL.js";import"./chunk-NUKRORSP.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-IIVLDV7I.js.map
