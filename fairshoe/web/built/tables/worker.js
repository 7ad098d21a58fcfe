import{a as e}from"./chunk-5T6H26SU.js";import"./chunk-SFEKXUPQ.js";import"./chunk-HTYFNUVJ.js";import"./chunk-NK54BIJN.js";import"./chunk-KQVK5EGD.js";import"./chunk-LLN42IJT.js";import"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
