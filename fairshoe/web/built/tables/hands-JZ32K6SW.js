import{a}from"./chunk-N6GDNRFQ.js";import"./chunk-TFYKEHVZ.js";import"./chunk-CFBON7FU.js";import"./chunk-6HWDVFX4.js";export{a as judge};
//# sourceMappingURL=hands-JZ32K6SW.js.map
