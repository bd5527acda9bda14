import { scrollShade } from '../../conformance/report/html/style.js';

/** The bar on top of every page, of those with a style of their own too. */
export const siteStyle = `
.site{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.25rem;padding:.55rem 1.25rem;background:#1d2330;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
.site a{color:#dfe5f2;text-decoration:none;padding:0}.site a:hover{text-decoration:underline}.site a[aria-current]{color:#fff;text-decoration:underline;text-underline-offset:.35em;text-decoration-thickness:2px}
.site .brand{font-weight:650;color:#fff}
.site form{margin:0 0 0 auto}.site label{color:#dfe5f2;display:flex;gap:.5rem;align-items:center}
.site input{font:inherit;width:11rem;max-width:50vw;padding:.15rem .5rem;border:1px solid #7c879c;border-radius:.35rem;background:#11151d;color:#fff}
.site :is(a,input):focus-visible{outline:3px solid #8fb2ff;outline-offset:2px}
@media print{.site{display:none}}
`;

/** The style of the chapters. Colours keep a contrast of 4.5 to 1 and more in light and dark. */
export const style = `
:root{color-scheme:light dark;--ink:#1b2130;--soft:#566073;--line:#d9dee8;--paper:#fff;--sunk:#f3f5f9;--accent:#2457c5;--mark:#fff0b8}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaf1;--soft:#a3adbf;--line:#353d4c;--paper:#14181f;--sunk:#1d232d;--accent:#8fb2ff;--mark:#54471a}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif}
.frame{display:grid;grid-template-columns:minmax(0,1fr);max-width:78rem;margin:0 auto;padding:0 1.25rem;gap:0 2.5rem}
main{padding:1rem 0 3rem;min-width:0;overflow-wrap:anywhere}
.all{margin:0;font-size:.9rem}
h1{font-size:1.9rem;line-height:1.25;margin:.75rem 0 1rem;text-wrap:balance}
h2{font-size:1.35rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:.25rem}h3{font-size:1.1rem;line-height:1.4;margin:1.75rem 0 .5rem}
p,ul,ol{margin:0 0 1rem}li{margin:.15rem 0}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,input:focus-visible,pre:focus-visible,:is(.table,.drawing):focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.2rem}
.anchor{color:var(--soft);text-decoration:none;font-weight:400;opacity:0}:is(h1,h2,h3,h4):hover>.anchor,.anchor:focus-visible{opacity:1}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{background:var(--sunk);border-radius:.25rem;padding:.1em .3em}code span,.whole{white-space:nowrap}
pre{border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow-x:auto;line-height:1.5;margin:0 0 1rem}pre code{background:none;padding:0;overflow-wrap:normal}
.table{overflow-x:auto;margin:0 0 1.25rem;border:1px solid var(--line);border-radius:.5rem}
${scrollShade('pre,.table,.drawing')}pre{--under:var(--sunk)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .75rem;border-top:1px solid var(--line);overflow-wrap:normal;min-width:5rem}td.long{min-width:11rem}
thead :is(th,td){border-top:0;background:var(--sunk);font-weight:600}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem;margin:0 0 1rem;display:block;background:#fff}
@media(prefers-color-scheme:dark){picture source~img{background:none}img[src*='-machine']{filter:invert(.92) hue-rotate(180deg)}}
/* A picture has a ground of its own, which the shade shows through. */
.drawing{display:block;overflow-x:auto;margin:0 0 1rem}.table,.drawing{isolation:isolate}td .drawing{overflow:visible;background:none;isolation:auto}.drawing img{margin:0;mix-blend-mode:multiply}@media(prefers-color-scheme:dark){.drawing img{mix-blend-mode:lighten}}@media(max-width:46rem){.drawing img{max-width:none;min-width:44rem}}.drawing img[src*='-machine']{max-width:none}
blockquote{margin:0 0 1rem;padding:.1rem 1rem;border-left:4px solid var(--line);color:var(--soft)}
nav.chapters,nav.contents{font-size:.92rem}
nav.chapters{border-top:1px solid var(--line);padding:1.5rem 0 3rem}
nav p,nav summary{font-weight:600;margin:1.1rem 0 .3rem}nav summary{cursor:pointer}nav ul{list-style:none;margin:0;padding:0}nav li{margin:0}
nav li a{display:block;padding:.2rem 0;color:var(--soft);text-decoration:none}nav li a:hover{color:var(--ink);text-decoration:underline}
nav li a[aria-current]{color:var(--accent);font-weight:600}
nav.contents{display:none}.contents .depth3{padding-left:.9rem}
.results{list-style:none;padding:0}.results li{margin:0 0 1.25rem}.results a{font-weight:600}.results p{margin:.15rem 0 0}.results .where{color:var(--soft);font-size:.875rem}
mark{background:var(--mark);color:inherit;border-radius:.15rem}
@media(min-width:52rem){.frame{grid-template-columns:14rem minmax(0,1fr)}.all{display:none}nav.chapters{grid-column:1;grid-row:1;border:0;position:sticky;top:0;max-height:100vh;overflow-y:auto;align-self:start;padding:.5rem 0 2rem}main{grid-column:2;grid-row:1;max-width:50rem}}
@media(min-width:76rem){.frame{grid-template-columns:13rem minmax(0,1fr) 13rem}nav.contents{display:block;grid-column:3;grid-row:1;position:sticky;top:0;max-height:100vh;overflow-y:auto;align-self:start;padding:.5rem 0 2rem}}
@media print{nav,.all,.anchor{display:none!important}.frame{display:block;padding:0}pre,.table{overflow:visible;white-space:pre-wrap}}
`;
