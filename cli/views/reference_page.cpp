// SPDX-License-Identifier: Apache-2.0
#include "cli/views/reference_page.hpp"

#include <map>

#include "cli/views/page.hpp"
#include "cli/views/quoted.hpp"

namespace cli {
namespace {

constexpr std::string_view kOwnStyle = R"css(
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0 1rem; }
a { color: inherit; } h3 a { text-decoration: none; } h3 a:hover { text-decoration: underline; }
.filter { position: sticky; top: 0; background: var(--back); padding: .6rem 0; z-index: 1; }
article { scroll-margin-top: 4rem; } article:target { border-color: var(--warn); }
h2 { scroll-margin-top: 4rem; } [hidden] { display: none; }
@media (min-width: 45.01rem) { dl { grid-template-columns: 10rem 1fr; } }
)css";

constexpr std::string_view kSearch = R"js(
(function () {
  var box = document.getElementById('words'), count = document.getElementById('count');
  var sections = Array.prototype.slice.call(document.querySelectorAll('section'));
  var all = Array.prototype.slice.call(document.querySelectorAll('article')).map(function (one) {
    return { element: one, text: one.textContent.toLowerCase() }; });
  function show() {
    var words = box.value.toLowerCase().split(/\s+/), shown = 0;
    all.forEach(function (one) {
      var fits = words.every(function (word) { return one.text.indexOf(word) >= 0; });
      one.element.hidden = !fits;
      if (fits) shown += 1;
    });
    sections.forEach(function (section) {
      section.hidden = !section.querySelector('article:not([hidden])'); });
    count.textContent = shown + ' of ' + all.length;
  }
  function follow() {
    var hash = location.hash.slice(1);
    if (hash.indexOf('q=') === 0)
      box.value = decodeURIComponent(hash.slice(2).replace(/\+/g, ' '));
    else if (hash) box.value = '';
    show();
    var target = hash && document.getElementById(decodeURIComponent(hash));
    if (target) target.scrollIntoView();
  }
  document.querySelector('.filter').hidden = false;
  box.addEventListener('input', show);
  window.addEventListener('hashchange', follow);
  follow();
}());
)js";

std::string rows_of(const std::vector<Row>& rows) {
    std::string out = "<dl>\n";
    for (const Row& row : rows) {
        out += "<dt>" + html(row.front()) + "</dt><dd>";
        for (std::size_t i = 1; i < row.size(); ++i)
            out += "<p>" + html(row[i]) + "</p>";
        out += "</dd>\n";
    }
    return out + "</dl>\n";
}

/// What an address may have behind # as it is.
std::string id_of(const Chapter& chapter, const Entry& entry) {
    std::string out = chapter.id + '.' + entry.name;
    for (char& c : out)
        if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' &&
            c != '_')
            c = '-';
    return out;
}

std::string article(const std::string& id, const Entry& entry) {
    std::string out = "<article class=\"card\" id=\"" + id + "\"><h3><a href=\"#" + id + "\">" +
                      html(entry.name) + "</a></h3>\n<p>" + html(entry.doc) + "</p>\n";
    if (!entry.rows.empty()) out += rows_of(entry.rows);
    for (const Entry::Part& part : entry.parts)
        if (!part.shared)
            out += "<details><summary>" + html(part.title) + "</summary>" + rows_of(part.rows) +
                   "</details>\n";
    return out + "</article>\n";
}

}  // namespace

std::string reference_page(std::span<const Chapter> chapters) {
    std::string out = "<h1>rocectl " ROCECTL_VERSION ": reference</h1>\n<nav>";
    for (const Chapter& chapter : chapters)
        out += "<a href=\"#" + html(chapter.id) + "\">" + html(chapter.title) + " (" +
               std::to_string(chapter.entries.size()) + ")</a>\n";
    out +=
        "</nav>\n<p class=\"filter\" hidden><input type=\"search\" id=\"words\" "
        "aria-label=\"Search\" placeholder=\"Search: words that are all in it\"> "
        "<span id=\"count\" class=\"soft\" role=\"status\"></span></p>\n";
    std::map<std::string, unsigned> ids;
    for (const Chapter& chapter : chapters) {
        out += "<section><h2 id=\"" + html(chapter.id) + "\">" + html(chapter.title) + "</h2>\n";
        for (const Entry& entry : chapter.entries) {
            // A key that stands in two places has two entries.
            const std::string id = id_of(chapter, entry);
            const unsigned times = ++ids[id];
            out += article(times == 1 ? id : id + '-' + std::to_string(times), entry);
        }
        out += "</section>\n";
    }
    return text_of(HtmlPage{.title = "rocectl " ROCECTL_VERSION ": reference",
                            .style = kOwnStyle,
                            .main = std::move(out),
                            .script = kSearch});
}

}  // namespace cli
