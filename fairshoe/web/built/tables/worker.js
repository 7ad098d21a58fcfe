import{a as e}from"./chunk-WCOZYEQJ.js";import"./chunk-SFEKXUPQ.js";import"./chunk-HTYFNUVJ.js";import"./chunk-WUZDC7ZD.js";import"./chunk-B277L27Q.js";import"./chunk-LLN42IJT.js";import"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
