import{a}from"./chunk-4S6QAFHO.js";import"./chunk-XXLNBW4R.js";import"./chunk-LIIYAJXG.js";import"./chunk-AIIQQX6U.js";import"./chunk-Y4SXKNQV.js";import"./chunk-S56IFIWP.js";import"./chunk-TSSO5S67.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
