import{a,b}from"./chunk-QKL5KHTR.js";import"./chunk-N47M4UTT.js";import"./chunk-SVH5FWTV.js";import"./chunk-OGZ2J32K.js";import"./chunk-LIGJN42V.js";import"./chunk-7TLAGKZI.js";import"./chunk-DRRWUCPO.js";import"./chunk-EYFHVETQ.js";import"./chunk-OWJMTMQB.js";import"./chunk-ZOOMLXIN.js";import"./chunk-H2TXFN4U.js";export{b as judge,a as judgeWhole};
//# sourceMappingURL=hands-7AEBCQYP.js.map
