// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mesh_page_style.hpp"

namespace cli {

// Levels go from the ground's lightness to blue, outliers are orange and failures red with a cross
// or hatched, so that they differ for whoever tells no red from green.
const std::string_view kMeshStyle = R"css(
:root { --l0: #e6eef7; --l1: #c3d7ec; --l2: #98bcdf; --l3: #669bcb; --l4: #3a78b0; --lout: #f08c1a;
  --lfail: #b3261e; --lskip: #d9dade; --lnone: #f1f1ef; --lself: #fbfbfa; --onlevel: #14202c;
  --ondeep: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --l0: #1b2a3a; --l1: #22415f; --l2: #2b5b88;
  --l3: #3f7db5; --l4: #7db4e6; --lout: #ff9f2e; --lfail: #ff6b5e; --lskip: #3d4148;
  --lnone: #1d2026; --lself: #14161a; --onlevel: #e8eaed; --ondeep: #0e1318; } }
.wide { overflow-x: auto; }
table.mesh { width: auto; border-collapse: separate; border-spacing: 2px; font-size: .85rem;
  font-variant-numeric: tabular-nums; }
table.mesh tr { display: table-row; padding: 0; }
table.mesh tbody { display: table-row-group; } table.mesh thead { display: table-header-group; }
table.mesh { display: table; } table.mesh td, table.mesh th { display: table-cell; border: 0;
  padding: .25rem .45rem; min-width: 0; white-space: nowrap; overflow-wrap: normal; }
table.mesh td { text-align: right; border-radius: .2rem; }
table.mesh thead th { text-align: right; font-weight: 400; color: var(--soft); }
table.mesh tbody th { position: sticky; left: 0; background: var(--card); font-weight: 600; }
td.l0 { background: var(--l0); color: var(--onlevel); } td.l1 { background: var(--l1);
  color: var(--onlevel); } td.l2 { background: var(--l2); color: var(--onlevel); }
td.l3 { background: var(--l3); color: var(--onlevel); }
td.l4 { background: var(--l4); color: var(--ondeep); }
td.lout { background: var(--lout); color: #1c1206; font-weight: 700; }
td.lfail { background: var(--lfail); color: var(--ondeep); font-weight: 700; }
td.lskip { background: var(--lskip); } td.lnone, td.lself { color: var(--soft); }
.heat { display: grid; grid-template-columns: 2.2rem minmax(0, 46rem); gap: .2rem .3rem; }
.heat .top, .heat .left { display: flex; justify-content: space-between; color: var(--soft);
  font-size: .75rem; font-variant-numeric: tabular-nums; } .heat .top { grid-column: 2; }
.heat .left { flex-direction: column; text-align: right; }
.heat svg { display: block; width: 100%; height: auto; background: var(--lnone); border: 0;
  shape-rendering: crispEdges; touch-action: pan-y; }
path.l0 { fill: var(--l0); } path.l1 { fill: var(--l1); } path.l2 { fill: var(--l2); }
path.l3 { fill: var(--l3); } path.l4 { fill: var(--l4); } path.lout { fill: var(--lout); }
path.lfail { fill: var(--lfail); } path.lskip { fill: var(--lskip); }
path.lself { fill: var(--lself); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem .9rem; font-size: .85rem; margin: .6rem 0 0; }
.legend span { display: inline-flex; gap: .35rem; align-items: center; }
.legend i { width: 1rem; height: 1rem; border-radius: .2rem; border: 1px solid var(--line); }
i.l0 { background: var(--l0); } i.l1 { background: var(--l1); } i.l2 { background: var(--l2); }
i.l3 { background: var(--l3); } i.l4 { background: var(--l4); } i.lout { background: var(--lout); }
i.lfail { background: var(--lfail); } i.lskip { background: var(--lskip); }
i.lnone { background: var(--lnone); }
.said { min-height: 1.6em; font-variant-numeric: tabular-nums; margin: .4rem 0 0; }
ul.plain { list-style: none; padding: 0; margin: 0; } ul.plain li { padding: .3rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ul.plain li:last-child { border: 0; }
table.hosts { font-variant-numeric: tabular-nums; }
@media (max-width: 45rem) {
  table.mesh tbody th { min-width: 7rem; max-width: 7.5rem; white-space: normal;
    overflow-wrap: anywhere; }
  table.hosts td::before { content: attr(data-of); color: var(--soft);
  display: inline-block; min-width: 15rem; } table.hosts td:first-child { font-weight: 600; }
  table.hosts td:first-child::before { content: none; } }
)css";

const std::string_view kMeshScript = R"js(
(function () {
  var data = JSON.parse(document.getElementById('data').textContent);
  function point(svg, event) {
    var one = data.pictures[+svg.getAttribute('data-picture')], box = svg.getBoundingClientRect();
    var column = Math.floor((event.clientX - box.left) / box.width * one.side);
    var row = Math.floor((event.clientY - box.top) / box.height * one.side);
    if (row < 0 || column < 0 || row >= one.side || column >= one.side) return;
    function named(place) {
      var first = place * one.block, last = Math.min(first + one.block, data.hosts.length) - 1;
      return data.hosts[first] + (last > first ? ' ... ' + data.hosts[last] : '');
    }
    var value = one.values[row * one.side + column];
    svg.closest('.card').querySelector('.said').textContent = named(row) + ' to ' + named(column) +
      ': ' + (row === column && one.block === 1 ? 'itself' : value === null ? 'no value' : value);
  }
  Array.prototype.forEach.call(document.querySelectorAll('.heat svg'), function (svg) {
    svg.addEventListener('pointermove', function (event) { point(svg, event); });
    svg.addEventListener('pointerdown', function (event) { point(svg, event); });
  });
  document.documentElement.setAttribute('data-ready', data.pictures.length);
}());
)js";

}  // namespace cli
