import{a}from"./chunk-3W6PSPC2.js";import"./chunk-RFKDOF52.js";import"./chunk-MBTSWOTY.js";import"./chunk-BBUCJI4P.js";export{a as judge};
//# sourceMappingURL=hands-GLLQAHMN.js.map
