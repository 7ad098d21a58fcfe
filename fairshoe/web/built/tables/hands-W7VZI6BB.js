import{a}from"./chunk-XJYEPXH7.js";import"./chunk-DVOQY7IM.js";import"./chunk-ZV5I6P4L.js";import"./chunk-X5MELLL3.js";import"./chunk-DR35GE3L.js";import"./chunk-RIZ5SHHU.js";export{a as judge};
//# sourceMappingURL=hands-W7VZI6BB.js.map
