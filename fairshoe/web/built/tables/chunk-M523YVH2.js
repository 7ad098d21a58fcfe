import{b as h,d as c,e as g}from"./chunk-FRBUU22Z.js";import{d as u}from"./chunk-IVGBPM5Q.js";import{a as r,c as i,f as p,h as a,l,p as d}from"./chunk-PXFFGBHF.js";function x(s){try{let{name:e,id:t,key:n}=h(String(s));return u(e)&&s===`${e}+${r(t)}+${p(a(Uint8Array.of(1),n))}`}catch(e){if(!(e instanceof l))throw e;return!1}}var m=s=>s.slice(0,s.indexOf("+")),S=s=>s==="player",b=class{about;key;steps=0;head;constructor({origin:e,shoe:t,commitment:n},o){this.about=`${e} ${t}
${o.commitment}`,this.key=o.key,this.head=d(i(`fairshoe placing v1
log ${e}
shoe ${t}
commitment ${n}
placer ${m(o.key)} ${o.commitment}
`))}step(e,t){this.head=d(a(this.head,i(`${t&&`since ${t}
`}${e}
`))),this.steps+=1}get stand(){return`${this.about}
${this.steps}
${r(this.head)}
`}note(e){return`fairshoe placing v1
${this.stand}${e?`key ${e}
`:""}`}isSigned(e,t){try{return g(c(`${this.note(t)}
— ${m(this.key)} ${e}
`),h(this.key))}catch(n){if(!(n instanceof l))throw n;return!1}}},A=s=>s.length?r(d(i(s.map(e=>`${e}
`).join("")))):"";var f="shoe (sole player)",$="bank (first)",R={"one round":{idle:{shoe:"hash",[f]:"bet",bank:"idle"},hash:{seeds:"bet",void:"idle",lost:"idle",bank:"hash"},bet:{open:"seed",void:"idle",lost:"idle",bank:"bet"},seed:{opened:"seed",lapse:"seed",seal:"round",void:"idle",lost:"idle"},round:{reshuffle:"round",round:"over",lost:"idle"},over:{reveal:"idle",lost:"idle",bank:"over"}},"many rounds":{idle:{shoe:"hash",[f]:"seed",bank:"idle"},hash:{seeds:"seed",void:"idle",lost:"idle",bank:"hash"},seed:{opened:"seed",lapse:"seed",seal:"bet",void:"idle",lost:"idle",bank:"seed"},bet:{open:"round",reveal:"idle",lost:"idle",bank:"bet"},round:{reshuffle:"round",round:"bet",lost:"idle"}},"first banker":{idle:{shoe:"hash"},hash:{seeds:"seed",void:"idle",lost:"idle"},seed:{opened:"seed",lapse:"seed",seal:"draw",void:"idle",lost:"idle"},draw:{[$]:"over",lost:"idle"},over:{reveal:"idle",lost:"idle"}},"no table":{idle:{shoe:"hash"},hash:{seeds:"seed",seal:"draw",void:"idle",lost:"idle"},seed:{opened:"seed",lapse:"seed",seal:"draw",void:"idle",lost:"idle"},draw:{drawn:"draw",shown:"draw",gathered:"draw",reveal:"idle",lost:"idle"}}};export{x as a,m as b,S as c,b as d,A as e,f,$ as g,R as h};
//# sourceMappingURL=chunk-M523YVH2.js.map
