import{a}from"./chunk-W2KUNGPU.js";import"./chunk-UU66DMH5.js";import"./chunk-KTIC36J2.js";import"./chunk-6WQ2FRHT.js";import"./chunk-NGJMZTKV.js";import"./chunk-VDK6QTM7.js";import"./chunk-U2CMBCFB.js";import"./chunk-VQSBRSRL.js";import"./chunk-NUKRORSP.js";export{a as judge};
//# sourceMappingURL=hands-YM5IMI5P.js.map
