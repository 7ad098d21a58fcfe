import{a}from"./chunk-PSABDHS6.js";import"./chunk-TFYKEHVZ.js";import"./chunk-J3KALHOK.js";import"./chunk-6HWDVFX4.js";export{a as judge};
//# sourceMappingURL=hands-X45D4VRE.js.map
