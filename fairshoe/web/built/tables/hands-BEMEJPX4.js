import{a}from"./chunk-SX5QYHVD.js";import"./chunk-SFEKXUPQ.js";import"./chunk-HTYFNUVJ.js";import"./chunk-Y6P7TJUL.js";import"./chunk-B277L27Q.js";import"./chunk-LLN42IJT.js";import"./chunk-PV4Q44TZ.js";import"./chunk-FYILUGBN.js";import"./chunk-PTT2GNZB.js";export{a as judge};
//# sourceMappingURL=hands-BEMEJPX4.js.map
