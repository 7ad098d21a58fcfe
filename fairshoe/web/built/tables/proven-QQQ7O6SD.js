import{a,b,c}from"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as openEntries};
//# sourceMappingURL=proven-QQQ7O6SD.js.map
