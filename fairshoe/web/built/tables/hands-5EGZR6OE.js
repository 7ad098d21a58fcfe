import{a}from"./chunk-3XFFEW62.js";import"./chunk-SFEKXUPQ.js";import"./chunk-HTYFNUVJ.js";import"./chunk-2QPHKU2F.js";import"./chunk-B277L27Q.js";import"./chunk-LLN42IJT.js";import"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";export{a as judge};
//# sourceMappingURL=hands-5EGZR6OE.js.map
