import{a}from"./chunk-S6NQRMML.js";import"./chunk-UNIKIYIP.js";import"./chunk-O4V4MAMT.js";import"./chunk-4OUKRLAG.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
