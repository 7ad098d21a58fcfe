import{a}from"./chunk-YD27KF2F.js";import"./chunk-U5UBDV2O.js";import"./chunk-KIUY7B3I.js";import"./chunk-CKNXKDHO.js";import"./chunk-DTB2EN3O.js";import"./chunk-SSCJ6RPT.js";import"./chunk-VAHILD5C.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
