import{a,b}from"./chunk-4S6QAFHO.js";import"./chunk-XXLNBW4R.js";import"./chunk-LIIYAJXG.js";import"./chunk-AIIQQX6U.js";import"./chunk-Y4SXKNQV.js";import"./chunk-S56IFIWP.js";import"./chunk-TSSO5S67.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-LNMJINJQ.js.map
