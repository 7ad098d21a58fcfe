import{a as e}from"./chunk-3XFFEW62.js";import"./chunk-SFEKXUPQ.js";import"./chunk-HTYFNUVJ.js";import"./chunk-2QPHKU2F.js";import"./chunk-B277L27Q.js";import"./chunk-LLN42IJT.js";import"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
