import{a as e}from"./chunk-W2KUNGPU.js";import"./chunk-UU66DMH5.js";import"./chunk-KTIC36J2.js";import"./chunk-6WQ2FRHT.js";import"./chunk-NGJMZTKV.js";import"./chunk-VDK6QTM7.js";import"./chunk-U2CMBCFB.js";import"./chunk-VQSBRSRL.js";import"./chunk-NUKRORSP.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
