// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_page_style.hpp"

namespace cli {

const std::string_view kPageStyle = R"css(
:root { color-scheme: light dark;
  --back: #fbfbfa; --card: #ffffff; --ink: #1c1e21; --soft: #5d636b; --line: #dcdfe3;
  --fail: #b3261e; --failback: #fdeceb; --warn: #8a5a00; --warnback: #fff4dc;
  --pass: #1b6e3c; --passback: #e8f5ec; --mute: #5d636b; --muteback: #eef0f2; --code: #f1f2f4; }
@media (prefers-color-scheme: dark) { :root {
  --back: #14161a; --card: #1d2026; --ink: #e8eaed; --soft: #a3a9b2; --line: #343942;
  --fail: #ff9a92; --failback: #43211f; --warn: #f2c063; --warnback: #3d3016;
  --pass: #86d6a3; --passback: #1a3425; --mute: #a3a9b2; --muteback: #2a2e35; --code: #282c33; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
.soft { color: var(--soft); } h3 .soft { font-weight: 400; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .9rem 1rem; margin: 0 0 .9rem; }
.card.fail { border-left: .35rem solid var(--fail); }
.card.warn { border-left: .35rem solid var(--warn); }
.chip { display: inline-block; border-radius: 1rem; padding: .05rem .6rem; font-size: .85rem;
  font-weight: 600; white-space: nowrap; background: var(--muteback); color: var(--mute); }
.chip.fail, .chip.crash { background: var(--failback); color: var(--fail); }
.chip.warn, .chip.unknown { background: var(--warnback); color: var(--warn); }
.chip.pass { background: var(--passback); color: var(--pass); }
dl { display: grid; grid-template-columns: 1fr; gap: 0 1rem; margin: .5rem 0 0; }
dt { color: var(--soft); font-size: .9rem; margin-top: .5rem; }
dd { margin: 0; overflow-wrap: anywhere; } dd p, dd pre { margin: 0 0 .25rem; }
code, pre { font: .9rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code);
  border-radius: .3rem; }
code { padding: .1rem .3rem; overflow-wrap: anywhere; }
pre { padding: .5rem .7rem; margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
ol.chain { list-style: none; display: flex; flex-direction: column; padding: 0; margin: .5rem 0 0;
  gap: 1.1rem; }
ol.chain li { position: relative; border: 1px solid var(--line); border-radius: .5rem;
  padding: .35rem .7rem; background: var(--back); overflow-wrap: anywhere; }
ol.chain li + li::before { content: "\2193"; position: absolute; top: -1.35rem; left: 1rem;
  color: var(--soft); }
ol.chain .name { display: block; color: var(--soft); font-size: .85rem; }
ol.chain li.broken { border: 2px solid var(--fail); background: var(--failback); }
ol.chain li.behind { opacity: .7; }
.counter series { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .9rem; }
.counter series h3 { grid-column: 1 / -1; margin: 0; }
figure { margin: 0; min-width: 0; } figcaption { font-size: .85rem; overflow-wrap: anywhere; }
figcaption .soft { display: block; }
figure svg { display: block; width: 100%; height: 3rem; border-bottom: 1px solid var(--line); }
polyline { fill: none; stroke: var(--warn); stroke-width: 2; vector-effect: non-scaling-stroke; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem .9rem; align-items: center; margin: 0 0 .75rem; }
.filter input[type=search] { flex: 1 1 12rem; min-width: 0; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .6rem; }
.filter label { display: inline-flex; gap: .35rem; align-items: center; min-height: 2rem; }
table { width: 100%; border-collapse: collapse; }
caption, th { text-align: left; font-weight: 600; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
tr[hidden] { display: none; }
@media (max-width: 45rem) {
  table, tbody, tr, td { display: block; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: .1rem 0; } }
@media (min-width: 45.01rem) {
  dl { grid-template-columns: 7rem 1fr; } dt { margin-top: 0; padding: .1rem 0; }
  dd { padding: .1rem 0; }
  ol.chain { flex-direction: row; flex-wrap: wrap; gap: .7rem 1.5rem; }
  ol.chain li + li::before { content: "\2192"; top: .8rem; left: -1.3rem; }
  td:first-child { white-space: nowrap; } td:nth-child(2) { min-width: 12rem; } }
@media print { .filter { display: none; } .card { break-inside: avoid; } }
)css";

const std::string_view kPageScript = R"js(
(function () {
  var box = document.getElementById('words'), count = document.getElementById('count');
  var ticks = Array.prototype.slice.call(document.querySelectorAll('.filter input[type=checkbox]'));
  var rows = Array.prototype.slice.call(document.querySelectorAll('#checks tbody tr'));
  function show() {
    var wanted = {}, words = box.value.toLowerCase().split(/\s+/), shown = 0;
    ticks.forEach(function (tick) { wanted[tick.value] = tick.checked; });
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      var fits = wanted[row.getAttribute('data-verdict')] &&
        words.every(function (word) { return text.indexOf(word) >= 0; });
      row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + ' of ' + rows.length;
  }
  document.querySelector('.filter').hidden = false;
  box.addEventListener('input', show);
  ticks.forEach(function (tick) { tick.addEventListener('change', show); });
  show();
}());
)js";

}  // namespace cli
