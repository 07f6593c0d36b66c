# Sourced by each *_test.sh: `it` starts a case, what follows asserts, `done_testing` counts.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
states=$here/tests/states
binary=${1:?usage: $0 BINARY}
work=$(mktemp -d)
# A background child that is ended before its program has begun is bash still, with this trap.
trap '((BASHPID != $$)) || rm -rf "$work"' EXIT
cd "$work" || exit 1
export NO_COLOR=1 HOME=$work # what shells and Ansible write of themselves goes with it

passed=0 failed=0 skipped=0 name='' problems=''

end_case() {
    [[ -n $name ]] || return 0
    if [[ -z $problems ]]; then
        echo "ok $name"
        passed=$((passed + 1))
    else
        echo "not ok $name"
        printf '%s' "$problems" | sed 's/^/    /'
        failed=$((failed + 1))
    fi
}

it() {
    end_case
    name=$1 problems=''
}

skip() {
    echo "skip $name: $1"
    skipped=$((skipped + 1))
    name=''
}

fail() {
    problems+="line ${BASH_LINENO[-2]}: $1"$'\n'
    problems+="  \$ rocectl $called"$'\n'"$(printf '%s\n%s\n' "$out" "$err" | head -n 20 | cut -c1-200)"$'\n'
}

# Runs the binary without a terminal; $status, $out and $err are what it left.
rocectl() {
    called=$*
    status=0
    "$binary" "$@" >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
}

status_is() { [[ $status == "$1" ]] || fail "expected status $1, found $status"; }
out_has() { [[ $out == *"$1"* ]] || fail "expected in the output: $1"; }
out_lacks() { [[ $out != *"$1"* ]] || fail "expected not in the output: $1"; }
err_has() { [[ $err == *"$1"* ]] || fail "expected on standard error: $1"; }
err_lines() {
    local found
    found=$(grep -c . <<<"$err")
    [[ $found == "$1" ]] || fail "expected $1 lines on standard error, found $found"
}
json_is() { jq -es "length == 1 and (.[0] | $1)" <<<"$out" >/dev/null 2>&1 || fail "expected of the document: $1"; }
same() { cmp -s "$1" "$2" || fail "expected $1 and $2 to be the same"; }

done_testing() {
    end_case
    echo "$passed passed, $failed failed, $skipped skipped"
    ((failed == 0))
    exit
}
