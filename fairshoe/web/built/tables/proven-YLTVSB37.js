import{a,b,c}from"./chunk-LZRZV6JN.js";import"./chunk-VN66MGO6.js";import"./chunk-6KAOEKBB.js";import"./chunk-F7DTNEBQ.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-YLTVSB37.js.map
