#!/bin/bash
# doctor and explain TEXT on state files: each form, each status, bad input.
# takes: 30 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

ill=$states/gpu-rail.json
rocectl apply gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state "$ill" --yes --out healthy.json
healthy=healthy.json
jq '(.ports[] | select(.name == "enp26s0np0")) |= (.mtu = 1500 | .rdma.active_mtu = 1024)' healthy.json >odd.json
jq '.host.rdma.netns_mode = "exclusive"' healthy.json >warned.json
jq '.ports |= map(select(.rdma == null or .rdma.device == null))' healthy.json >none.json

it "doctor: what a state has of a NIC's firmware is looked at, and the firmware of no NIC is asked of a state"
jq '(.ports[] | select(.name == "enp26s0np0")).fwctl = {"notify": {"3": false}, "react": {"3": true}}' healthy.json >firmware.json
rocectl doctor --state firmware.json
status_is 2
[[ $out == "fail 1. firmware-notify-off on enp26s0np0"* ]] || fail "expected the cause first"
out_has "the NIC's firmware has answering congestion marks off for priority 3"
rocectl doctor --state firmware.json --firmware
status_is 64
rocectl doctor --state healthy.json --only firmware-notify-off -o json
json_is 'all(.checks[]; .verdict == "skip" and .reason == "the NIC\u0027s firmware was not asked")'

it "doctor: the status is 0, 1 or 2, in text and JSON"
rocectl doctor --state $healthy
status_is 0
out_has "8 ports, "
out_lacks "1. "
rocectl doctor --state $healthy -q
status_is 0
[[ -z $out ]] || fail "expected nothing"
rocectl doctor --state odd.json
status_is 2
[[ $out == "fail 1. mtu-low on enp26s0np0"* ]] || fail "expected the cause first"
rocectl doctor --state odd.json -o json
status_is 2
json_is '.command == "doctor" and .status == 2 and .causes[0].id == "mtu-low" and (.causes | length) == 1'
rocectl doctor --state none.json
status_is 1
rocectl doctor --state "$ill" --only nothing-such
status_is 64
err_has "--only: found 'nothing-such'"
echo '{' >broken.json
rocectl doctor --state broken.json
status_is 65
rocectl doctor --state broken.json -o json
status_is 65
json_is '.status == 65'
rocectl doctor --state odd.json --html a --output-file b
status_is 64

it "doctor --list: what there is, also as JSON"
rocectl doctor --list
status_is 0
out_has "  pfc-off "
rocectl doctor --list -o json
status_is 0
json_is '(.checks | length) > 50 and (.checks | map(select(.id == "pfc-off")) | .[0].group == "qos")'

it "doctor -o junit: a parser of XML finds one testcase a check and port"
if command -v python3 >/dev/null; then
    # A port with a name that is markup.
    jq '(.. | strings | select(. == "enp26s0np0")) = "<&\"]]>"' odd.json >markup.json
    for file in odd.json markup.json $healthy; do
        rocectl doctor --state $file -o json
        printf '%s' "$out" >checks.json
        rocectl doctor --state $file -o junit
        printf '%s' "$out" >checks.xml
        called="doctor --state $file -o junit"
        python3 - checks.xml checks.json <<'EOF' || fail "expected the checks of the JSON document"
import json, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find('testsuite')
checks = json.load(open(sys.argv[2]))['checks']
kind = {'pass': None, 'warn': 'system-out', 'fail': 'failure', 'unknown': 'skipped', 'skip': 'skipped', 'accepted': 'skipped', 'crash': 'error'}
found = [(c.get('classname'), c.get('name'), next((e.tag for e in c), None)) for c in suite]
wanted = [(c['port'] or 'host', c['id'], kind[c['verdict']]) for c in checks]
assert found == wanted, (found[:3], wanted[:3])
assert int(suite.get('tests')) == len(wanted)
assert int(suite.get('failures')) == sum(k == 'failure' for _, _, k in wanted)
assert int(suite.get('skipped')) == sum(k == 'skipped' for _, _, k in wanted)
EOF
    done
else
    skip "no python3"
fi

it "doctor -o prometheus: written as a whole"
rocectl doctor --state odd.json -o prometheus
status_is 2
out_has 'rocectl_doctor_port_checks{port="enp26s0np0",verdict="fail"} 1'
out_has 'rocectl_doctor_port_checks{port="",verdict="fail"} 0'
out_has 'rocectl_doctor_cause_ports{check="mtu-low",verdict="fail"} 1'
out_has 'rocectl_doctor_causes 1'
out_lacks timestamp
[[ $(grep -vcE '^(# (HELP|TYPE) rocectl_doctor_[a-z_]+ .+|rocectl_doctor_[a-z_]+(\{([a-z]+="[^"\\]*",?)+\})? [0-9]+)$' <<<"$out") == 0 ]] ||
    fail "expected nothing but metrics"
printf '%s\n' "$out" >printed.prom
echo old >written.prom
ln written.prom old.prom
rocectl doctor --state odd.json -o prometheus --output-file written.prom
status_is 2
[[ -z $out ]] || fail "expected nothing on standard output"
same printed.prom written.prom
[[ $(<old.prom) == old ]] || fail "expected the old file to be left as it was"
rocectl doctor --state odd.json --output-file /nowhere/at/all
status_is 1

it "doctor --html: a page beside the report"
rocectl doctor --state odd.json
printf '%s' "$out" >printed.txt
rocectl doctor --state odd.json --html page.html
status_is 2
printf '%s' "$out" >beside.txt
same printed.txt beside.txt
[[ $(head -n 1 page.html) == '<!DOCTYPE html>' ]] || fail "expected a page"
rocectl doctor --state odd.json -o json
sed -n 's,^<script type="application/json" id="document">\(.*\)</script>$,\1,p' page.html | jq -S 'del(.page)' >drawn.json
jq -S . <<<"$out" >printed.json
same printed.json drawn.json
rocectl doctor --state odd.json --html /nowhere/at/all.html
status_is 1

it "doctor --html: a browser finds no error"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
if [[ -n $browser ]]; then
    # What the script made of the page shows that it ran; the console is told to stderr.
    jq '(.. | strings | select(. == "enp26s0np0")) = "<script>document.title=1</script>"' odd.json >script.json
    for file in odd script; do
        rocectl doctor --state $file.json --html $file.html
        called="chromium $file.html"
        timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --log-level=0 \
            --user-data-dir="$work/browser" --dump-dom "file://$work/$file.html" >dom.html 2>browser.err
        out=$(head -c 3000 dom.html) err=$(grep CONSOLE browser.err)
        grep -qE 'id="count">[0-9]+ of [0-9]+<' dom.html || fail "expected the filter to count"
        grep -q "<title>rocectl doctor: " dom.html || fail "expected the title"
        for text in mtu-low '<li class="broken">' 'data-verdict="pass"' '<dt>because</dt>'; do
            grep -qF -- "$text" dom.html || fail "expected on the page: $text"
        done
        [[ $(grep -c '<script' dom.html) == 2 ]] || fail "expected no script but the page's"
        [[ -z $err ]] || fail "expected nothing on the console"
    done
    sed 's/^<script>/<script>nothing.there();/' odd.html >wrong.html
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --log-level=0 \
        --user-data-dir="$work/browser" --dump-dom "file://$work/wrong.html" >dom.html 2>browser.err
    grep -q CONSOLE browser.err || fail "expected that an error is seen"
else
    skip "no chromium"
fi

it "doctor -o nagios: one line, and the statuses of a plugin"
rocectl doctor --state $healthy -o nagios
status_is 0
[[ $out =~ ^"ROCE OK - 8 ports, "[0-9]+" checks | causes=0;;;0 fail=0;;0;0 warn=0;0;;0 "[^\|]+$ ]] || fail "expected OK with numbers"
rocectl doctor --state warned.json -o nagios
status_is 1
[[ $out == "ROCE WARNING - rdma-netns-exclusive on the host | "* ]] || fail "expected a warning"
rocectl doctor --state warned.json -o nagios --strict
status_is 2
rocectl doctor --state odd.json -o nagios
status_is 2
[[ $out == "ROCE CRITICAL - mtu-low on enp26s0np0 | "* ]] || fail "expected the cause"
rocectl doctor --state none.json -o nagios
status_is 3
[[ $out == "ROCE UNKNOWN - no port of a RoCE fabric | "* ]] || fail "expected unknown"
rocectl doctor --state broken.json -o nagios
status_is 3
[[ $out == "ROCE UNKNOWN - "* && $out != *$'\n'* ]] || fail "expected one line"
rocectl doctor --no-such-option -o nagios
status_is 3

it "doctor -o npd: one short line, and 0, 1 or 2"
for case in "0 $healthy" "0 warned.json" "1 odd.json" "2 none.json" "2 broken.json" "2 /nowhere"; do
    rocectl doctor --state "${case#* }" -o npd
    status_is "${case%% *}"
    ((${#out} > 0 && ${#out} <= 80)) || fail "expected at most 80 characters"
    [[ $out != *$'\n'* ]] || fail "expected one line"
done
rocectl plan -o npd
status_is 64

it "explain TEXT: what it means, what is mistaken, and on a host what is so"
rocectl explain "allow TCP 4791"
status_is 0
out_has "RoCE v2 is UDP"
out_has "mistaken: "
rocectl explain dcbtool sc eth1 pfc e:1 a:1 w:3
status_is 0
out_has "willing"
rocectl explain "rdma link add roce0 rdma_link netdev eth1"
status_is 0
out_has "type rxe"
rocectl explain "Call to ibv_modify_qp failed with 22 Invalid argument" --state odd.json
status_is 0
out_has "found: enp26s0np0: "
out_has "not so here"
rocectl explain "Call to ibv_modify_qp failed with 22 Invalid argument" --state odd.json -o json
json_is '.texts[0].id == "rtr-invalid"'
json_is '.texts[0].candidates | map(select(.finding == "mtu-low")) | .[0] | .verdict == "fail" and .ports == ["enp26s0np0"]'
rocectl explain "no text that anybody knows of"
status_is 64
rocectl explain mtu --state odd.json
status_is 64
rocectl explain "allow TCP 4791" --here --state odd.json
status_is 64
rocectl explain "Requested QP size might be too big" --state odd.json
status_is 0
rocectl explain "Requested QP size might be too big" --state broken.json
status_is 65
rocectl explain "allow TCP 4791" --state broken.json
status_is 65
rocectl explain "RDMA_CM_EVENT_UNREACHABLE" --state broken.json
status_is 65

it "explain WORD: what messages speak of, in any case, and the keys that set it"
for word in PFC pfc dscp TOS gid Lossless ecn CNP ets DCBX trust priority "traffic class" qp; do
    rocectl explain "$word"
    status_is 0
    out_has "  keys  "
done
rocectl explain Traffic Class
status_is 0
out_has "ets.traffic_class"
rocectl explain PFC -o json
status_is 0
json_is '.term == "PFC" and (.keys | index("pfc.priorities")) != null and (.doc | length) > 80'
rocectl explain PFD
status_is 64
err_has "unknown text 'PFD'"
rocectl explain the mtu of mlx5_core is odd
status_is 64
err_has "unknown text 'the mtu of mlx5_core is odd'; recognised in it: mtu (setting), mlx5_core (driver)"

it "doctor: an apply that is printed has the variables that were given"
rocectl doctor gpu-rail --vars "$here/tests/vars/gpu-rail.json" --set nic="a b" --state odd.json
if [[ $status != 2 ]]; then rocectl doctor gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state odd.json; fi
status_is 2
out_has "rocectl apply gpu-rail --vars $here/tests/vars/gpu-rail.json"
out_lacks "no profile was given"
rocectl doctor --state odd.json
out_has "no profile was given"
out_has "1 fail"

it "explain -: each text once, with how often it was seen"
called="explain -"
for ((i = 0; i < 500; ++i)); do echo "host$i kernel: RDMA_CM_EVENT_UNREACHABLE, error -110"; done >log
printf 'Cannot allocate memory\nnothing\n\xff\x1b[2K wc status 12' >>log
status=0
"$binary" explain - <log >.out 2>.err || status=$?
out=$(<.out) err=$(<.err)
status_is 0
out_has "500 times: host0 kernel: RDMA_CM_EVENT_UNREACHABLE"
out_has "once: \\xff\\u001b[2K wc status 12"
out_has "503 lines read, 2 known texts"
out_lacks no-memory
"$binary" explain - --state - <log >.out 2>.err && fail "expected an error"
err=$(<.err)
err_has "standard input can be read once"

it "explain -: a line without an end takes no memory"
if (ulimit -v 1 && :) 2>/dev/null; then
    called="explain - with 300 MB on a line"
    status=0
    head -c 300000000 /dev/zero | (ulimit -v 250000; exec "$binary" explain -) >.out 2>.err || status=$?
    if grep -q "AddressSanitizer\|ReserveShadow" .err; then
        skip "a sanitized binary takes more"
    else
        out=$(<.out) err=$(<.err)
        status_is 0
        out_has "1 line read, 0 known texts"
    fi
fi

it "completion offers checks and groups"
for shell in bash zsh fish; do
    rocectl completion $shell
    status_is 0
    [[ $(grep -c "pfc-off.* qos .*rdma-device-missing" <<<"$out") -ge 2 ]] || fail "expected checks and groups for --only and --skip"
done

if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
    it "doctor without root: what needs root is unknown at most"
    called="doctor as nobody"
    install -m 755 "$binary" ./as-nobody && chmod 755 "$work"
    status=0
    out=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./as-nobody doctor --state /dev/stdin <odd.json 2>.err) || status=$?
    err=$(<.err)
    status_is 2
    out_has "1. mtu-low on enp26s0np0"
    status=0
    out=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./as-nobody doctor -o npd 2>.err) || status=$?
    err=$(<.err)
    [[ $status -le 2 ]] || fail "expected a status of the plugin"
    ((${#out} > 0)) || fail "expected a line"
fi

done_testing
