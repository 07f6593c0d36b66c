#!/bin/bash
# The EXAMPLES of the pages of commands, run as they are printed, on a port of its own; rocectl-probe(8)'s take two hosts
# (tests/lab/scenarios/probe-examples). An example ends with 0, or where a comment in front says `status any` with 0, 1 or 2.
. "$(dirname "$0")/own_namespaces.bash"
# takes: 20 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

ip link set lo up
ip link add ens1f0np0 type veth peer name far0
ip link set far0 up mtu 9000
ip link set ens1f0np0 up
mkdir -p /var/lib/node_exporter/textfile bin
ln -s "$binary" bin/rocectl
PATH=$work/bin:$PATH

# How each example ends, tab, its lines as a terminal shows them, and \f.
examples() {
    awk '/^\.SH EXAMPLES/ { on = 1; next } /^\.SH/ { on = 0 } !on { next }
        /^\.\\" / { how = substr($0, 5); next }
        /^\.EX/ { inside = 1; printf "%s\t", how == "" ? "status 0" : how; next }
        /^\.EE/ { inside = 0; how = ""; printf "\f"; next }
        inside { gsub(/\\-/, "-"); gsub(/\\e/, "\\"); sub(/^\\&/, ""); print }' "$1"
}

# Everything as at first, but for the history.
begin() {
    ip link set ens1f0np0 mtu 1500
    rm -rf there && mkdir there && cd there || exit 1
    printf '{ "format": 1, "ports": [ { "match": { "name": "ens1f0np0" }, "mtu": 9000 } ] }\n' >storage.json
    rocectl snapshot -o host.json
}

# What an example waits for only takes longer: ten seconds are one here.
run_as_printed() {
    local how=$1 command=
    while IFS= read -r line; do
        command+=$line
        if [[ $line == *\\ ]]; then
            command=${command%\\}
            continue
        fi
        called="${command#rocectl } (as printed)" status=0
        bash -c "set -o pipefail; ${command//10s/1s}" >"$work/.out" 2>"$work/.err" </dev/null || status=$?
        out=$(<"$work/.out") err=$(<"$work/.err")
        if [[ $how == 'status any' ]]; then ((status <= 2)) || fail "expected 0, 1 or 2, found $status"; else status_is "${how#status }"; fi
        ran=$((ran + 1))
        command=
    done <<<"$2"
}

for page in "$here"/man/rocectl-*.8; do
    [[ $page != */rocectl-probe.8 ]] || continue
    it "$(basename "$page" .8)(8): its examples run as printed"
    ran=0
    while IFS=$'\t' read -r -d $'\f' how lines; do
        cd "$work" && begin
        run_as_printed "$how" "$lines"
    done < <(examples "$page")
    ((ran > 0)) || fail "expected examples"
done
cd "$work" || exit 1

done_testing
