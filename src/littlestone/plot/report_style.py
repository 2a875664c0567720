"""Report style: one column or two by the room there is, light or dark as the reader likes it, and one page on paper.

On paper the pictures are small, tables have their first rows and columns, and what is left out is said.
"""

PRINTED = 12  # rows and columns of a table on paper

STYLE = f"""
:root {{ color-scheme: light dark; --paper: #fff; --ink: #222; --faint: #666; --rule: #ddd; --right: #e8f1f8;
  --for: #0072b2; --against: #d55e00; }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ --paper: #16181c; --ink: #e4e4e4; --faint: #a0a0a0; --rule: #3a3d42; --right: #1d3a50;
    --for: #56b4e9; --against: #f0803c; --tone-0: #56b4e9; --tone-1: #f0803c; --tone-2: #2fc49a; --tone-4: #8fd0f5; }}
}}
* {{ box-sizing: border-box; }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 1.5rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }}
h1 small {{ font-weight: normal; color: var(--faint); overflow-wrap: anywhere; }}
h2 {{ font-size: 1.1rem; margin: 0 0 .3rem; }}
p {{ margin: .3rem 0; color: var(--faint); }}
main {{ columns: 32rem 2; column-gap: 2.5rem; }}
section {{ break-inside: avoid; padding-bottom: 1.8rem; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }}
th {{ text-align: left; font-weight: 600; }}
table.facts td {{ overflow-wrap: anywhere; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; padding-left: .6rem; }}
td.right {{ background: var(--right); }}
td.bar {{ width: 45%; }} td.name {{ overflow-wrap: anywhere; }}
.bar div {{ position: relative; height: .8rem; margin-top: .35rem; background: linear-gradient(var(--rule), var(--rule))
  center / 1px 100% no-repeat; }}
.bar span {{ position: absolute; top: 0; bottom: 0; }}
.for {{ left: 50%; background: var(--for); }} .against {{ right: 50%; background: var(--against); }}
svg {{ width: 100%; height: auto; display: block; overflow: visible; }}
.scroll {{ overflow-x: auto; }} .printed {{ display: none; }} .bars {{ width: 100%; }}
@media screen and (max-width: 600px) {{ td.bar {{ width: 28%; }} }}
@media print {{
  @page {{ size: A4; margin: 10mm; }}
  :root {{ color-scheme: light; }}
  html {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
  body {{ font-size: 7.5px; line-height: 1.3; margin: 0; padding: 0; max-width: none; }}
  h1 {{ font-size: 14px; margin: 0 0 4px; }} h2 {{ font-size: 9px; }} p {{ margin: 1px 0; }}
  main {{ columns: 2; column-gap: 18px; }} section {{ padding-bottom: 5px; }}
  td, th {{ padding: 0 4px 0 0; }} td.number {{ padding-left: 0; }} .bar div {{ height: 5px; margin-top: 2px; }}
  table.wide {{ font-size: 6px; line-height: 1.1; }} table.wide th {{ max-width: 40px; overflow-wrap: anywhere; }}
  .scroll {{ overflow: hidden; }} .printed {{ display: block; }}
  table.long tr:nth-child(n+{PRINTED + 2}), table.wide tr > :nth-child(n+{PRINTED + 2}) {{ display: none; }}
}}
"""
