import{a,b}from"./chunk-RG2VKHYB.js";import"./chunk-Q7DRFWWN.js";import"./chunk-R4QGHBZN.js";import"./chunk-AG57TWZ6.js";import"./chunk-5N6ZZP7U.js";import"./chunk-2JGHJJVS.js";import"./chunk-TC5ULOML.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-3WEH7YXR.js.map
