/** What the dashboard has beside the style of all pages. */
export const style = `
main { width: calc(100% - 3rem); max-width: 84rem; margin: 1.5rem auto }
[hidden] { display: none !important }
.links { list-style: none; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
.panels { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 1.5rem; align-items: start; margin-top: 1rem }
.side { display: grid; gap: 1.5rem }
section { border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; min-width: 0 }
section > :last-child { margin-bottom: 0 }
h2:focus { outline: none } h2:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.actions { gap: .5rem; margin: .75rem 0; align-items: center } button { padding: .35rem .8rem }
input:not([type=checkbox]) { font: inherit; padding: .35rem .6rem; min-width: 0; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .5rem }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; margin: .5rem 0 } .pair select { min-width: 0; width: 100%; padding: .35rem .6rem }
.check { display: flex; gap: .4rem; align-items: center } .check input { accent-color: var(--accent) }
.now { color: var(--ink); font-weight: 600; margin: .5rem 0 } .note { margin: .5rem 0 } #news:empty { display: none }
.rows { list-style: none; margin: .5rem 0 0; padding: 0 } .rows > li { border-top: 1px solid var(--line); padding: .6rem 0; overflow-wrap: anywhere }
.rows p { margin: .15rem 0 0; font-size: .9rem }
.line { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline } .line > :last-child { margin-left: auto }
.line > .grow { flex: 1 1 12rem; min-width: 0 }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .55rem; font-size: .85rem; white-space: nowrap; color: var(--soft) }
.badge.not { color: var(--warn); background: var(--warnground) }
details { margin-top: .25rem; font-size: .9rem } summary { cursor: pointer; color: var(--soft) } summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px } details pre { overflow: auto; max-height: 24rem; white-space: pre-wrap; border: 1px solid var(--line); border-radius: .5rem; padding: .5rem; color: var(--ink) } #step { width: 6rem } details ul { margin: .25rem 0; padding-left: 1.25rem }
#entries { max-height: 80vh; overflow: auto } #entries:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 62rem) { .panels { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 42rem) { main { width: auto; margin: 0 } section { padding: .75rem .9rem } #entries { max-height: 60vh } }
`;
