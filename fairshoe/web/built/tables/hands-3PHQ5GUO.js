import{a}from"./chunk-4ZWCE4KF.js";import"./chunk-SZHSVS45.js";import"./chunk-BMVV5PVN.js";import"./chunk-E6UWXE5Q.js";import"./chunk-3R44MRPQ.js";import"./chunk-AC6CWP6O.js";export{a as judge};
//# sourceMappingURL=hands-3PHQ5GUO.js.map
