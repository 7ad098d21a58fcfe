import{a,b}from"./chunk-RWSNISQT.js";import"./chunk-VBAJEBZ3.js";import"./chunk-5HV2T7B5.js";import"./chunk-C4EZW7WZ.js";import"./chunk-MCZNHRXR.js";import"./chunk-L3CELX4G.js";import"./chunk-A3U2YEIC.js";import"./chunk-PFCVPJT6.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-IZPR66SA.js.map
