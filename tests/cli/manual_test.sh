#!/bin/bash
# The pages of the manual: what man, groff and mandoc say of them, and that --help names them.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

# The pages have no date: they are of the version that they come with.
complaints() {
    local page=$1
    if command -v man >/dev/null; then
        { LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null; } 2>&1
    fi
    if command -v groff >/dev/null; then groff -t -ww -z -man "$page" 2>&1; fi
    if command -v mandoc >/dev/null; then mandoc -T lint -W warning "$page" | grep -v ': missing date, using "": TH$'; fi
}

it "man, groff and mandoc have nothing to say of any page"
called='(man)'
for page in "$here"/man/*; do
    err=
    out=$(complaints "$page")
    [[ -z $out ]] || fail "expected nothing of $(basename "$page")"
done
printf '.TH A 1\n.SH NAME\na \\- b\n.FX\n' >wrong.1
if command -v groff >/dev/null || command -v mandoc >/dev/null; then
    out=$(complaints wrong.1)
    [[ -n $out ]] || fail "expected something of a wrong page"
fi

it "each command's --help names a page that is there, and all pages are found so"
for command in $("$binary" help | sed -n 's/^  \([a-z]*\).*/\1/p' | sort -u); do
    rocectl "$command" --help
    status_is 0
    page=$(sed -n 's/^More: man 8 //p' <<<"$out")
    [[ -f $here/man/$page.8 ]] || fail "expected a page: $page"
    printf '%s\n' "$page.8" >>named
done
[[ $(sort -u named) == "$(cd "$here/man" && ls rocectl-*.8)" ]] || fail "expected all pages"

done_testing
