import{a as e}from"./chunk-PSABDHS6.js";import"./chunk-TFYKEHVZ.js";import"./chunk-J3KALHOK.js";import"./chunk-6HWDVFX4.js";onmessage=({data:[s,a]})=>postMessage([s,e(a)]);
//# sourceMappingURL=worker.js.map
