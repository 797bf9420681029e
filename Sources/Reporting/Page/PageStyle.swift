/// How a report's page looks: light and dark, on a screen of any width, and on paper.
///
/// The colours of outcomes differ in lightness too, so that they can be told apart without colour.
enum PageStyle {
  static let sheet = """
    :root { color-scheme: light dark; --ground: #f6f7f8; --card: #fff; --ink: #1b2128; --soft: #5a6672; --line: #e1e5e9;
      --inserted: #1f6fb2; --updated: #5fb3e4; --unchanged: #9fb2c1; --skipped: #cdd6dd; --filtered: #b89a3e;
      --rejected: #d4500b; --good: #17663f; --bad: #a3260f; --wash: #f1f4f6; }
    @media (prefers-color-scheme: dark) { :root { --ground: #12161a; --card: #1a2026; --ink: #e6eaed; --soft: #9ba8b3;
      --line: #2c343c; --inserted: #4a9de0; --updated: #8fcdf0; --unchanged: #6d8292; --skipped: #414d57;
      --filtered: #cdb05a; --rejected: #f07a3a; --good: #6fcf9c; --bad: #ff9076; --wash: #222a31; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    main { max-width: 1120px; margin: 0 auto; padding: 32px 20px 56px; }
    header p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
    h1 { font-size: 29px; line-height: 1.2; margin: 8px 0 6px; letter-spacing: -.015em; overflow-wrap: anywhere; }
    h2 { font-size: 18px; margin: 0 0 2px; letter-spacing: -.005em; }
    h3 { font-size: 14px; margin: 18px 0 6px; overflow-wrap: anywhere; }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px;
      margin-top: 18px; }
    section > p { margin: 0 0 12px; color: var(--soft); }
    .badge { display: inline-block; padding: 3px 11px; border-radius: 99px; font-weight: 600; font-size: 13px;
      border: 1.5px solid currentColor; }
    .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--rejected); }
    .figures { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 20px 0 0; }
    .figures dt { color: var(--soft); font-size: 13px; } .figures dd { margin: 0; font-size: 24px; font-weight: 600;
      font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
    .wide { overflow-x: auto; } .files th[scope], .files td:last-child { min-width: 11em; } td.why { min-width: 11em; } td.names code { white-space: nowrap; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { text-align: left; padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th { font-size: 13px; font-weight: 600; color: var(--soft); vertical-align: bottom; }
    tr:last-child > td, tr:last-child > th { border-bottom: 0; }
    tbody th { color: var(--ink); font-size: 15px; vertical-align: top; overflow-wrap: break-word; }
    tbody th.code { white-space: nowrap; }
    .n { text-align: right; white-space: nowrap; } td.n { padding-left: 8px; }
    code, .value { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; font-size: .9em;
      overflow-wrap: anywhere; }
    .value { background: var(--wash); padding: 1px 5px; border-radius: 4px; }
    .soft { color: var(--soft); }
    .bar { display: block; width: 100%; height: 14px; border-radius: 4px; background: var(--wash); }
    .bar.tall { height: 22px; margin: 4px 0 10px; }
    .inserted { fill: var(--inserted); } .updated { fill: var(--updated); } .unchanged { fill: var(--unchanged); }
    .skipped { fill: var(--skipped); } .filtered { fill: var(--filtered); } .rejected { fill: var(--rejected); }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 14px; padding: 0; list-style: none; font-size: 14px; }
    .legend svg { width: 12px; height: 12px; margin-right: 7px; vertical-align: -1px; }
    .heat td.cell { text-align: right; padding: 6px 10px; border: 2px solid var(--card); border-radius: 6px;
      background: color-mix(in srgb, var(--rejected) calc(var(--heat) * 88%), var(--wash)); }
    .heat td.hot { color: #fff; font-weight: 600; } .heat th.code { text-align: right; padding: 0 10px 6px; min-width: 84px; }
    .heat { width: auto; } .heat .n { padding-left: 14px; }
    @media (prefers-color-scheme: dark) { .heat td.hot { color: #14100d; } }
    .heat td.none { background: var(--wash); color: transparent; }
    details { margin-top: 10px; } summary { cursor: pointer; color: var(--soft); font-size: 14px; }
    details[open] > summary { margin-bottom: 8px; }
    .along { display: block; width: 100%; height: 74px; } .along .ground, .nights .ground { fill: var(--line); }
    .scale { display: flex; justify-content: space-between; gap: 14px; color: var(--soft); font-size: 13px; }
    .fault { padding: 10px 0; border-top: 1px solid var(--line); } .fault p { margin: 0; overflow-wrap: anywhere; }
    .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(252px, 1fr)); gap: 14px; }
    .cards > div { border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; min-width: 0; }
    .cards h3 { margin: 0 0 6px; display: flex; justify-content: space-between; gap: 10px; align-items: baseline; }
    .cards h3 span { color: var(--soft); font-weight: 400; white-space: nowrap; }
    .cards table { font-size: 13px; } .cards td, .cards th { padding: 3px 8px 3px 0; border: 0; overflow-wrap: anywhere; }
    .cards tbody th { font-size: 13px; font-weight: 400; color: var(--soft); width: 36%; }
    .cards .bar { height: 6px; margin: 4px 0; } .cards p { margin: 6px 0 0; font-size: 13px; color: var(--soft); }
    .cards td.n { padding-right: 0; }
    .picture svg { max-width: none; } .nights { display: block; width: 100%; height: 120px; }
    @media (max-width: 640px) { main { padding: 20px 12px 40px; } section { padding: 16px 14px; } h1 { font-size: 23px; }
      .figures { gap: 10px 26px; } .figures dd { font-size: 20px; } .optional { display: none; } }
    @media print { body { background: #fff; } section { break-inside: avoid; border-color: #bbb; } main { max-width: none;
      padding: 0; } details > summary { display: none; } }

    """
}
