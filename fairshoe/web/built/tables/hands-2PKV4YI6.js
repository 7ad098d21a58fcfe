import{a}from"./chunk-LAPT3OFU.js";import"./chunk-RFKDOF52.js";import"./chunk-QBR5QCRM.js";import"./chunk-BBUCJI4P.js";export{a as judge};
//# sourceMappingURL=hands-2PKV4YI6.js.map
