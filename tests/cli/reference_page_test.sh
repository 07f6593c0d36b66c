#!/bin/bash
# The page of all that can be explained: it has every row of the tables, and a browser searches it.
# takes: 20 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

it "explain --html: every setting, fact, finding and word that explain knows has an entry"
rocectl explain --html page.html
status_is 0
out_has "Settings that a profile may state"
sed -n 's,^<script type="application/json" id="document">\(.*\)</script>$,\1,p' page.html >drawn.json
for entry in settings/pfc.priorities facts/vf.limit findings/pfc-off drivers/mlx5_core terms/DSCP roce/roce.cnp.priority keys/ports; do
    jq -e --arg chapter "${entry%/*}" --arg name "${entry#*/}" 'any(.chapters[] | select(.id == $chapter) | .entries[]; .name == $name)' drawn.json >/dev/null ||
        fail "expected an entry $entry"
done
[[ $(jq '[.chapters[].entries[]] | length' drawn.json) == "$(awk '{n += $NF} END {print n}' <<<"$out")" ]] || fail "expected as many entries as are counted"
! grep -qE '(src|href)="?(https?:)?//' page.html || fail "expected nothing that is loaded"

rocectl explain --html page.html -o json
status_is 0
json_is '.command == "explain" and .entries.settings > 100 and .entries.findings > 100'

it "explain --html beside one thing is refused, and so is neither"
rocectl explain mtu --html other.html
status_is 64
[[ ! -e other.html ]] || fail "expected no page"
rocectl explain
status_is 64
err_has "SETTING, FINDING or TEXT is missing"

it "a browser searches the page by the words of its address"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
if [[ -n $browser ]]; then
    # seen ADDRESS: the page as its script leaves it.
    seen() {
        called="chromium page.html$1"
        timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --log-level=0 \
            --user-data-dir="$work/browser" --dump-dom "file://$work/page.html$1" >dom.html 2>browser.err
        err=$(grep CONSOLE browser.err)
        [[ -z $err ]] || fail "expected nothing on the console"
    }
    all=$(jq '[.chapters[].entries[]] | length' drawn.json)
    seen ""
    for entry in settings.pfc.priorities findings.pfc-off roce.roce.cnp.priority; do
        grep -q "id=\"$entry\"" dom.html || fail "expected an entry $entry"
    done
    [[ -z $(grep -o ' id="[^"]*"' dom.html | sort | uniq -d) ]] || fail "two entries have one id: $(grep -o ' id="[^"]*"' dom.html | sort | uniq -d | head -3)"
    grep -q "id=\"count\"[^>]*>$all of $all<" dom.html || fail "expected all $all"
    seen "#q=pfc.priorities+PFC"
    found=$(sed -nE 's/.*id="count"[^>]*>([0-9]+) of.*/\1/p' dom.html)
    ((found > 0 && found < all / 4)) || fail "expected few, found $found"
    [[ $(grep -o '<article[^>]*hidden' dom.html | wc -l) == $((all - found)) ]] || fail "expected the others to be hidden"
    ! grep -o '<article[^>]*id="settings.pfc.priorities"[^>]*>' dom.html | grep -q hidden || fail "expected the setting to be shown"
    grep -o '<article[^>]*id="drivers.cxgb4"[^>]*>' dom.html | grep -q hidden || fail "expected a driver to be hidden"
    seen "#q=no+such+words+anywhere"
    grep -q "id=\"count\"[^>]*>0 of $all<" dom.html || fail "expected none"
else
    skip "no chromium"
fi

done_testing
