import{b as a,c as b,d as c,e as d}from"./chunk-J3KALHOK.js";import"./chunk-6HWDVFX4.js";export{a as LARGEST_PROOF,b as MOST_ENTRIES,c as checkHand,d as openEntries};
//# sourceMappingURL=hand-M4QLA5JC.js.map
