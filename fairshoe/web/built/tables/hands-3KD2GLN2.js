import{a}from"./chunk-WP5ISB73.js";import"./chunk-RFKDOF52.js";import"./chunk-XUPECY6B.js";import"./chunk-BBUCJI4P.js";export{a as judge};
//# sourceMappingURL=hands-3KD2GLN2.js.map
