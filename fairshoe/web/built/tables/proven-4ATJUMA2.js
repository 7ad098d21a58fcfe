import{a,b,c}from"./chunk-AG57TWZ6.js";import"./chunk-5N6ZZP7U.js";import"./chunk-2JGHJJVS.js";import"./chunk-TC5ULOML.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-4ATJUMA2.js.map
