import{a,b}from"./chunk-JLAXJYQP.js";import"./chunk-34DMIU54.js";import"./chunk-TW2M5ZER.js";import"./chunk-EGNIRXHX.js";import"./chunk-DJOVHDYS.js";import"./chunk-M523YVH2.js";import"./chunk-CJDSBQDK.js";import"./chunk-JT4Q55OY.js";import"./chunk-FRBUU22Z.js";import"./chunk-IVGBPM5Q.js";import"./chunk-PXFFGBHF.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-KNEQHT3L.js.map
