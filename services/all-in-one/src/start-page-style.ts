/** The styles of the start page. Its policy allows them by their hash. */
export const START_PAGE_STYLE = `
:root{--back:#f6f8f7;--card:#fff;--text:#16211d;--soft:#53635c;--line:#d7dfdb;--accent:#0b6e4f}
@media (prefers-color-scheme:dark){:root{--back:#101614;--card:#19211e;--text:#e8efec;--soft:#9fb0a8;--line:#2c3833;--accent:#5fd3a6}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{max-width:60rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem;border-top:.3rem solid var(--accent);max-width:none}
header>*{max-width:57.5rem;margin-left:auto;margin-right:auto}
main{padding-bottom:3rem}
h1{font-size:2rem;line-height:1.2;margin-top:0;margin-bottom:.15rem}
h2{font-size:1.15rem;margin:2.25rem 0 .5rem}
p{margin-top:.5rem;margin-bottom:.75rem}
.version,.note{color:var(--soft);font-size:.9rem}
.version{margin-top:0;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible{outline:.15rem solid var(--accent);outline-offset:.15rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.5rem 0 .5rem}
.tiles div,.cards li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1rem}
dd{margin:0;font-size:1.9rem;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dt{color:var(--soft);font-size:.9rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:.75rem;padding:0;margin:.75rem 0;list-style:none}
.cards li>a{font-weight:650}
.cards span{display:block;color:var(--soft);font-size:.9rem}
code{font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
`;
