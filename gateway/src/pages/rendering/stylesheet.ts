/** The stylesheet of every page. A constant, because the build does not copy files. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --text: #1c2733; --soft: #5a6876; --back: #fff; --panel: #f4f6f8; --line: #d9dfe5; --edge: #7b8794; --link: #0b63a5;
  --done: #2f8f5b; --approved: #1f6f9f; --fuzzy: #d99a2b; --rest: #dfe4e9; --bad: #b3261e; --done-text: #1d7445; --fuzzy-text: #86570a;
  --key: #7a3e9d; --string: #1d6b3a; --number: #9a4a00; --word: #0b5c8a;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e8ed; --soft: #9eabb8; --back: #14191f; --panel: #1d242c; --line: #36414c; --edge: #74818e; --link: #7cc0f5;
    --done: #4fb37d; --approved: #5aa9d6; --fuzzy: #e0ab4c; --rest: #36414c; --bad: #ff8a80; --done-text: #4fb37d; --fuzzy-text: #e0ab4c;
    --key: #d3a4f0; --string: #8fd6a9; --number: #f0b27a; --word: #7cc0f5;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); }
a { color: var(--link); text-underline-offset: .15em; }
/* A control inside the input of a date has the focus in place of the input. */
:focus-visible, input:focus-within { outline: 2px solid var(--link); outline-offset: 2px; }
.wide { margin: 0 auto; max-width: 68rem; padding: 0 1rem; }
.skip { left: 0; padding: .5rem 1rem; position: absolute; top: -4rem; background: var(--panel); }
.skip:focus { top: 0; }
.top { border-bottom: 1px solid var(--line); background: var(--panel); }
.top .wide { align-items: center; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; min-height: 3.25rem; padding-bottom: .5rem; padding-top: .5rem; }
.top .site { align-items: center; color: inherit; display: flex; font-weight: 650; gap: .5rem; text-decoration: none; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.top .who { color: var(--soft); display: flex; flex-wrap: wrap; font-size: .875rem; gap: 0 .9rem; margin-left: auto; overflow-wrap: anywhere; }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; margin-top: 3rem; padding: 1rem 0 2rem; }
.bottom .wide { overflow-wrap: anywhere; }
main.wide { padding-bottom: 1rem; padding-top: 1.25rem; }
.trail { color: var(--soft); font-size: .875rem; list-style: none; margin: 0 0 .25rem; padding: 0; }
.trail li { display: inline; overflow-wrap: anywhere; }
.trail li + li::before { content: "/ "; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .5rem 0; max-width: 48rem; overflow-wrap: anywhere; }
.soft, .lead { color: var(--soft); }
.block { white-space: pre-line; }
dl { display: grid; gap: .25rem 1.25rem; grid-template-columns: max-content minmax(0, 1fr); margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .75rem 0; padding: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: .875rem; font-weight: 600; }
td { overflow-wrap: anywhere; }
.actions th, .actions td { min-width: 7rem; } .actions td { vertical-align: middle; }
.actions th:last-child, .actions td:last-child { min-width: 6.25rem; }
td.number, th.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
table.shares { table-layout: fixed; }
.shares th.meter { width: 35%; } .shares th.number { width: 7rem; } .shares th.badge { width: 12rem; }
td.meter { padding-top: .85rem; }
svg.bar { border-radius: 3px; display: block; height: .5rem; width: 100%; }
.bar .all { fill: var(--rest); } .bar .translated { fill: var(--done); } .bar .fuzzy { fill: var(--fuzzy); }
.progress { margin: 1rem 0; max-width: 40rem; }
.progress p { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 0 .35rem; }
.progress strong { font-size: 1.25rem; line-height: 1.2; }
.progress svg.bar { height: .75rem; }
code, pre, textarea, kbd { font: .85rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; overflow-x: auto; padding: .75rem 1rem; }
pre code { overflow-wrap: normal; }
pre.body { max-height: 75vh; overflow: auto; }
pre.wrap { white-space: pre-wrap; } pre.wrap code { overflow-wrap: anywhere; }
.key { color: var(--key); } .string { color: var(--string); } .number-value { color: var(--number); } .word { color: var(--word); }
.string a { color: inherit; }
.method { background: var(--panel); border: 1px solid var(--line); border-radius: .25rem; font: 600 .8rem/1.4 ui-monospace, monospace; padding: .1rem .4rem; }
.status { font-weight: 650; } .status.error { color: var(--bad); }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details[open] > summary { margin-bottom: .5rem; }
form.filters { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .75rem 0; }
form.filters label { display: grid; font-size: .875rem; gap: .15rem; grid-template-columns: minmax(0, 1fr); max-width: 100%; }
input, select, textarea, button { background: var(--back); border: 1px solid var(--edge); border-radius: .3rem; color: inherit; font: inherit; max-width: 100%; padding: .3rem .5rem; }
button { background: var(--link); border-color: var(--link); color: var(--back); cursor: pointer; padding: .3rem .9rem; white-space: nowrap; }
.forms { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.forms > * { min-width: 0; }
.forms.tabbed { grid-template-columns: minmax(0, 1fr); } .tabbed > [role=tabpanel] { max-width: 40rem; }
.tabs { border-bottom: 1px solid var(--line); display: flex; gap: .25rem; }
.tabs button { background: none; border: 0; border-bottom: 3px solid transparent; border-radius: 0; color: var(--link); }
.tabs button[aria-selected=true] { border-color: var(--link); color: var(--text); font-weight: 600; }
.copied { position: relative; } .copied pre { padding-right: 5rem; } .copied .copy { background: var(--back); border-color: var(--edge); color: var(--text); font-size: .8rem; padding: .15rem .5rem; position: absolute; right: .5rem; top: .5rem; }
.copied .soft { font-size: .85rem; }
[hidden] { display: none; }
.field { display: grid; gap: .15rem; margin: .75rem 0; }
.field label { font-size: .9rem; } .field label.check { align-items: center; display: flex; gap: .5rem; }
.field input:not([type=checkbox]), .field select, .field textarea { width: 100%; }
.field .soft { font-size: .85rem; }
.field .hint { color: var(--soft); font-size: .85rem; margin: 0; }
.field.wrong input, .field.wrong select, .field.wrong textarea { border-color: var(--bad); border-width: 2px; }
.problem { color: var(--bad); font-weight: 600; margin: .15rem 0; }
textarea, .field input { font-size: .9rem; } textarea { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; resize: vertical; }
button.danger { background: var(--bad); border-color: var(--bad); }
form.stacked { max-width: 26rem; }
.field .status { font-weight: 400; }
[aria-invalid="true"] { border-color: var(--bad); }
.notice { background: var(--panel); border-left: .25rem solid var(--done); padding: .5rem .75rem; }
button.plain { background: none; border: 0; color: var(--link); padding: 0; text-decoration: underline; text-underline-offset: .15em; }
.pages { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0; }
.strings { list-style: none; margin: 1rem 0; padding: 0; }
.strings > li { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 .75rem; padding: .5rem .9rem .6rem; }
.strings > li:target, .strings > li.found { border-color: var(--link); border-width: 2px; }
.pair { display: grid; gap: .5rem 1.5rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.pair p { margin: .15rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.pair .side { color: var(--soft); font-size: .8rem; font-weight: 600; margin: .2rem 0 0; }
.tag { border: 1px solid var(--line); border-radius: 1rem; display: inline-block; font-size: .8rem; padding: 0 .55rem; }
.tag.translated, .tag.approved { border-color: var(--done); color: var(--done-text); } .tag.fuzzy { border-color: var(--fuzzy); color: var(--fuzzy-text); }
.meta { color: var(--soft); display: flex; flex-wrap: wrap; font-size: .85rem; gap: .2rem .9rem; margin: .35rem 0 0; }
.badges { list-style: none; margin: .75rem 0; padding: 0; }
.badges li { margin: .25rem 0; }
img { max-width: 100%; vertical-align: middle; }
@media (max-width: 40rem) {
  h1 { font-size: 1.35rem; }
  .pair { grid-template-columns: minmax(0, 1fr); gap: .25rem; }
  dl { gap: 0; grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: .5rem; }
  .top .who { margin-left: 0; width: 100%; }
  .shares th.meter { width: 22%; } .shares th.number { width: 6.75rem; }
  .actions th, .actions td { font-size: .8125rem; min-width: 4.5rem; padding-right: .4rem; } .actions td:first-child { min-width: 5.25rem; }
  .optional { display: none; }
}
@media print { .top nav, .bottom, form { display: none; } }
`;

/** The icon of every page. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b63a5"/><path d="M7 8h18v12H15l-5 5v-5H7z" fill="#fff"/><path d="M11 12h10M11 16h6" stroke="#0b63a5" stroke-width="2"/></svg>';
