import{a}from"./chunk-R4TE4U7C.js";import"./chunk-RFKDOF52.js";import"./chunk-GURDEAT4.js";import"./chunk-BBUCJI4P.js";export{a as judge};
//# sourceMappingURL=hands-RB7LQIGL.js.map
