import{a,b}from"./chunk-3XRVH72D.js";import"./chunk-OXMNKEYX.js";import"./chunk-SJROXGHV.js";import"./chunk-PLPZQM3T.js";import"./chunk-TGEGSND5.js";import"./chunk-NC5RW6C2.js";import"./chunk-PNRATTTA.js";import"./chunk-N52QNJCG.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-F2GR3NEN.js.map
