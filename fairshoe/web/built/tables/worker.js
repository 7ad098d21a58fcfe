import{a}from"./chunk-3XRVH72D.js";import"./chunk-OXMNKEYX.js";import"./chunk-SJROXGHV.js";import"./chunk-PLPZQM3T.js";import"./chunk-TGEGSND5.js";import"./chunk-NC5RW6C2.js";import"./chunk-PNRATTTA.js";import"./chunk-N52QNJCG.js";onmessage=async({data:[e,s]})=>postMessage([e,await a(s)]);
//# sourceMappingURL=worker.js.map
