import{a}from"./chunk-K3HU66Y6.js";import"./chunk-LA7RKW7W.js";import"./chunk-E6FQQD3P.js";import"./chunk-QFLQ5G2M.js";import"./chunk-55DQD22L.js";import"./chunk-K5UAA2YI.js";import"./chunk-AKE2STPJ.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
