import{a}from"./chunk-EQ5IGQBR.js";import"./chunk-5R5TR4DI.js";import"./chunk-WSKOLR27.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
