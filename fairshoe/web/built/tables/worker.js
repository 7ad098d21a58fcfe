import{a as e}from"./chunk-XJYEPXH7.js";import"./chunk-DVOQY7IM.js";import"./chunk-ZV5I6P4L.js";import"./chunk-X5MELLL3.js";import"./chunk-DR35GE3L.js";import"./chunk-RIZ5SHHU.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
