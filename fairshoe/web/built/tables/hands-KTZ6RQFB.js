import{a}from"./chunk-F6R2D47Y.js";import"./chunk-DVOQY7IM.js";import"./chunk-ZV5I6P4L.js";import"./chunk-UW2AJJOT.js";import"./chunk-DR35GE3L.js";import"./chunk-RIZ5SHHU.js";export{a as judge};
//# sourceMappingURL=hands-KTZ6RQFB.js.map
