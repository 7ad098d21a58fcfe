import{a}from"./chunk-RWSNISQT.js";import"./chunk-VBAJEBZ3.js";import"./chunk-5HV2T7B5.js";import"./chunk-C4EZW7WZ.js";import"./chunk-MCZNHRXR.js";import"./chunk-L3CELX4G.js";import"./chunk-A3U2YEIC.js";import"./chunk-PFCVPJT6.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
