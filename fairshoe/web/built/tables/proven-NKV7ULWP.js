import{a,b,c}from"./chunk-EYFHVETQ.js";import"./chunk-OWJMTMQB.js";import"./chunk-ZOOMLXIN.js";import"./chunk-H2TXFN4U.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-NKV7ULWP.js.map
