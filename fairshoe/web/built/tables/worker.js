import{a as e}from"./chunk-N6GDNRFQ.js";import"./chunk-TFYKEHVZ.js";import"./chunk-CFBON7FU.js";import"./chunk-6HWDVFX4.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
