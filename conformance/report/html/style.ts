import { laneStyle } from '../../histories/draw.js';

/** What goes on beyond the right edge has a shade there, until one has scrolled to its end. Needs `--paper`. */
export const scrollShade = (selectors: string): string =>
  `${selectors}{--under:var(--paper);--shade:rgb(0 0 0/.22);background:linear-gradient(to left,var(--under) 35%,transparent) right/2.5rem 100% no-repeat local,linear-gradient(to left,var(--shade),transparent) right/.8rem 100% no-repeat scroll,var(--under)}@media(prefers-color-scheme:dark){${selectors}{--shade:rgb(255 255 255/.3)}}`;

/** The page's style. Colours keep a contrast of 4.5 to 1 and more in light and dark. */
export const style = `
:root{color-scheme:light dark;--ink:#1b2130;--soft:#566073;--line:#d9dee8;--paper:#fff;--ground:#f3f5f9;--sunk:#f7f8fb;--accent:#2457c5;--good:#1f7a3d;--bad:#b3261e;--fair:#8a4b00;--calm:#566073;--goodfill:#3aa35c;--badfill:#d5453c;--fairfill:#e0a030;--calmfill:#98a2b5;--faintfill:#d3d9e4;--badground:#fdeeec;--goodground:#e9f6ed;--fairground:#fff5e2}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaf1;--soft:#a3adbf;--line:#353d4c;--paper:#1a1f29;--ground:#11141a;--sunk:#151a22;--accent:#8fb2ff;--good:#77d394;--bad:#ff9a90;--fair:#ffc978;--calm:#a3adbf;--goodfill:#3f9c5c;--badfill:#d9574e;--fairfill:#c98d2b;--calmfill:#6f7a8d;--faintfill:#3a4352;--badground:#341c1b;--goodground:#16291d;--fairground:#33270f}}
*{box-sizing:border-box}
html{scroll-padding-top:3.5rem}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header>div,nav>ul{max-width:74rem;margin:0 auto;padding:0 1.5rem}
main>:first-child:not(section,[hidden]){margin-top:1.25rem}
header{background:var(--paper);border-bottom:1px solid var(--line);padding:2rem 0 1.5rem}
h1{font-size:1rem;font-weight:600;color:var(--soft);margin:0 0 .5rem;overflow-wrap:anywhere}
.verdict{font-size:1.65rem;line-height:1.3;font-weight:650;margin:0 0 1.25rem;max-width:50rem;overflow-wrap:anywhere;text-wrap:balance}
.verdict.conformant{color:var(--good)}.verdict.not{color:var(--bad)}.verdict.incomplete,.verdict.warned{color:var(--fair)}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 1rem}h2 .n{color:var(--soft);font-weight:400;margin-left:.35rem}
h3{font-size:1rem;line-height:1.4;margin:0;overflow-wrap:anywhere}h3 .tag{margin-left:.5rem}.table+h3{margin:1.5rem 0 .6rem}
a{color:var(--accent);text-underline-offset:.15em}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{overflow-wrap:anywhere}code span{white-space:nowrap}
svg.bar{display:block;width:100%;height:1.1rem;border-radius:.4rem;margin:0 0 .75rem}
.pass{fill:var(--goodfill)}.fail,.suite{fill:var(--badfill)}.waived,.warn{fill:var(--fairfill)}.could,.exercised{fill:var(--calmfill)}.applicable,.excluded{fill:var(--faintfill)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0 0 1.25rem;padding:0}
.legend a{color:inherit;text-decoration:none;display:flex;align-items:center;gap:.4rem}.legend a:hover{text-decoration:underline}
.legend svg{width:.75rem;height:.75rem;border-radius:.2rem;flex:none}.legend b{font-variant-numeric:tabular-nums}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.75rem 1.5rem;margin:0 0 1.25rem}
dl.facts dt{font-size:.8rem;color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}
.command{display:flex;gap:.5rem;align-items:stretch}
.command code{flex:1;padding:.45rem .75rem;background:var(--sunk);border:1px solid var(--line);border-radius:.4rem}
button{font:inherit;font-size:.85rem;padding:.25rem .75rem;border-radius:.4rem;border:1px solid var(--line);background:var(--paper);color:var(--ink);cursor:pointer}
button:hover{border-color:var(--soft)}
:is(a,button,input,select,summary,.table):focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line)}
nav>ul{display:flex;gap:.25rem 1.25rem;list-style:none;overflow-x:auto;white-space:nowrap}
nav a{display:block;padding:.6rem 0;color:var(--soft);text-decoration:none;font-size:.9rem}nav a:hover{color:var(--ink)}nav b{color:var(--ink);font-weight:600}
dd,.card{overflow-wrap:anywhere}
.card{background:var(--paper);border:1px solid var(--line);border-radius:.6rem;padding:1.1rem 1.25rem;margin:0 0 1rem}
.card.bad{border-left:4px solid var(--badfill)}.card.fair{border-left:4px solid var(--fair)}
.group{margin:0 0 1rem;font-weight:600;color:var(--bad);overflow-wrap:anywhere}
.meta{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;margin:0 0 .35rem;color:var(--soft);font-size:.875rem}
.meta .id{color:var(--ink);font-weight:600;font-size:.9rem}
.tag{font-size:.72rem;font-weight:600;letter-spacing:.02em;padding:.05rem .45rem;border:1px solid var(--line);border-radius:1rem;color:var(--soft);white-space:nowrap}
.tag.v-pass{color:var(--good);border-color:currentColor}.tag.v-fail,.tag.v-suite{color:var(--bad);border-color:currentColor}.tag.v-warn,.tag.v-waived{color:var(--fair);border-color:currentColor}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin:.9rem 0}
.sides>div{border-radius:.4rem;padding:.6rem .8rem;min-width:0}.sides h4{font-size:.75rem;font-weight:600;margin:0 0 .15rem;color:var(--soft)}
.sides .expected{background:var(--goodground)}.sides .got{background:var(--badground)}
.sides p,.pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}.clipped{max-height:16rem;overflow:auto}
.smallest{margin:.5rem 0}.smallest b,.again b{font-weight:600;font-size:.875rem}
details{margin:.4rem 0 0}summary{cursor:pointer;color:var(--accent);font-size:.9rem;width:fit-content;overflow-wrap:anywhere}
details[open]>summary{margin-bottom:.5rem}
pre{margin:.35rem 0;padding:.7rem .85rem;background:var(--sunk);border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:26rem;overflow:auto;line-height:1.45}
.step{margin:.6rem 0}.step h4{font-size:.85rem;margin:0;overflow-wrap:anywhere;font-weight:600}
.tools{display:flex;justify-content:flex-end;margin:0 0 -.1rem}
ul.plain{list-style:none;margin:0;padding:0}ul.plain>li{padding:.55rem 0;border-top:1px solid var(--line)}ul.plain>li:first-child{border-top:0;padding-top:0}ul.plain>li:last-child{padding-bottom:0}ul.plain p{margin:.1rem 0 0;overflow-wrap:anywhere}
.ids{color:var(--soft);font-size:.85rem;margin:.4rem 0 0;overflow-wrap:anywhere}.ids a{color:inherit}
.remedy{color:var(--ink)}
${laneStyle}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{overflow-wrap:normal;border-top:0;font-size:.8rem;font-weight:600;color:var(--soft);background:var(--sunk)}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums}
${scrollShade('.table,nav>ul')}
tbody th,tbody th code{overflow-wrap:normal}td.why{color:var(--soft)}td p{margin:0}td p+p{margin-top:.2rem;color:var(--soft);font-size:.85rem}
#ledger table{table-layout:fixed}#ledger .c1{width:13rem}#ledger .c2{width:7.8rem}#ledger .c3{width:8.5rem}#ledger .c5{width:5rem}
#ledger td:first-child{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8rem}
#ledger tbody tr:target td,article:target h3,.card div:target{background:var(--fairground)}
#ledger tbody tr{content-visibility:auto;contain-intrinsic-size:auto 3.2rem}
.filter{display:grid;grid-template-columns:2fr repeat(3,1fr) auto;gap:.6rem;align-items:end;margin:0 0 .75rem}.filter[hidden]{display:none}
.filter label{display:block;font-size:.8rem;color:var(--soft)}
.filter :is(input,select){display:block;width:100%;height:2.3rem;font:inherit;font-size:.9rem;padding:.4rem .6rem;margin-top:.15rem;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:.4rem}
.filter button{height:2.3rem;padding:0 .8rem}.shown{color:var(--soft);font-size:.85rem;margin:0 0 .5rem;min-height:1.3em}
.seen{color:var(--fair);font-weight:600}
footer{color:var(--soft);font-size:.85rem;max-width:74rem;margin:2.5rem auto 0;padding:1rem 1.5rem 3rem;overflow-wrap:anywhere}
@media(max-width:46rem){main,header>div,nav>ul,footer{padding-left:1rem;padding-right:1rem}header{padding:1.25rem 0 1rem}.verdict{font-size:1.3rem}dl.facts{display:block}dl.facts>div{display:flex;gap:.75rem;padding:.15rem 0}dl.facts dt{flex:0 0 8.5rem;padding-top:.15rem}#edition th,#edition td{overflow-wrap:normal}.sides{grid-template-columns:1fr}.filter{grid-template-columns:1fr 1fr}.filter label:first-child{grid-column:1/-1}.command{flex-direction:column}.command button{align-self:flex-start}
#ledger thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}#ledger table,#ledger tbody{display:block}#ledger tr{display:flex;flex-wrap:wrap;gap:.2rem .6rem;padding:.6rem .75rem;border-top:1px solid var(--line)}#ledger td{border:0;padding:0}#ledger td:nth-child(4){flex-basis:100%;order:5}#ledger td:nth-child(5){color:var(--soft);font-size:.8rem}#ledger td:nth-child(5)::before{content:"section "}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--ground:#fff;--sunk:#fff;--badground:#fff;--goodground:#fff;--fairground:#fff;--good:#1f7a3d;--bad:#b3261e;--fair:#8a4b00}body{font-size:10pt}nav,.filter,.shown,button,details:not([open]){display:none}main,header>div,footer{max-width:none;padding:0}header{padding:0 0 1rem}.card,tr,.sides{break-inside:avoid}h2{break-after:avoid}pre,.clipped{max-height:none;overflow:visible}.sides>div{border:1px solid var(--line)}svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}a{color:inherit;text-decoration:none}#ledger tbody tr{content-visibility:visible}}

`;
