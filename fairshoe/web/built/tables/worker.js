import{a}from"./chunk-26YH37Y6.js";import"./chunk-7HYCDTCJ.js";import"./chunk-LDYMMQ7V.js";import"./chunk-CSB377VV.js";import"./chunk-3PZPRRQU.js";import"./chunk-S56IFIWP.js";import"./chunk-TSSO5S67.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
