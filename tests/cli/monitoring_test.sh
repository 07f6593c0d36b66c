#!/bin/bash
# packaging/examples/prometheus: units, rules and dashboard, with what the binary really prints.
# takes: 50 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

PATH+=:$here/build/unpacked/usr/bin # not installed, as services would come with it
prometheus=$here/packaging/examples/prometheus
ip link set lo up

# run COMMAND...: what is no rocectl.
run() {
    called="(not rocectl) $*" status=0
    "$@" >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
}
no_promtool() { ! command -v promtool >/dev/null && skip "no promtool here"; }
expressions() { jq -r '.panels[].targets[].expr' "$prometheus/dashboard.json"; }

# The line of the unit, as systemd makes a command of it: $PROFILE is words, ${FOLDER} is text.
mkdir textfile
line=$(sed -n 's/^ExecStart=//p' "$prometheus/rocectl-metrics.service")
line=${line//\$\{FOLDER\}/$work/textfile}
read -r program arguments <<<"${line//\$PROFILE/}"

it "the unit's command writes a file that promtool accepts, also on a host without a fabric"
[[ $program == /usr/bin/rocectl ]] || fail "expected /usr/bin/rocectl, found $program"
read -ra words <<<"$arguments"
rocectl "${words[@]}"
[[ " $(sed -n 's/^SuccessExitStatus=/0 /p' "$prometheus/rocectl-metrics.service") " == *" $status "* ]] ||
    fail "expected one of the unit's statuses, found $status"
[[ $(ls textfile) == rocectl.prom ]] || fail "expected rocectl.prom alone, found $(ls textfile)"
grep -q '^rocectl_doctor_ports 0$' textfile/rocectl.prom || fail "expected no port of a fabric"
rocectl doctor --state "$states/mlx5_core.json" -o prometheus --output-file faults.prom
status_is 2
for file in textfile/rocectl.prom faults.prom; do
    ! command -v promtool >/dev/null || promtool check metrics <"$file" || fail "expected promtool to accept $file"
done

it "systemd reads the units"
if ! command -v systemd-analyze >/dev/null; then
    skip "no systemd-analyze here"
else
    mkdir units
    sed "s#/usr/bin/rocectl#$binary#" "$prometheus/rocectl-metrics.service" >units/rocectl-metrics.service
    cp "$prometheus/rocectl-metrics.timer" units
    sed "s#^ExecStart=rocectl#ExecStart=$binary#" "$here/packaging/systemd/rocectl-watch.service" >units/rocectl-watch.service
    run systemd-analyze verify --man=no "$work"/units/rocectl-{metrics.service,metrics.timer,watch.service}
    status_is 0
    ! grep -qE 'rocectl-(metrics|watch)' <<<"$err" || fail "expected no complaint: $err"
fi

it "rules and dashboard name what is printed, and nothing else"
sed -nE 's/^# TYPE ([a-z_]+) .*/\1/p' textfile/rocectl.prom faults.prom | sort -u >printed
grep -ohE '\brocectl_doctor_[a-z_]+' "$prometheus"/{rules.yml,rules_test.yml,dashboard.json} | sort -u >named
run comm -13 printed named
[[ -s named && -z $out ]] || fail "these are printed nowhere"
grep -ohE 'verdict="[a-z]+"' faults.prom | sort -u >printed
grep -ohE 'verdict=\\?"[a-z]+\\?"' "$prometheus"/{rules.yml,dashboard.json} | tr -d '\\' | sort -u >named
# A verdict that no check has at the moment stands in the counts all the same.
run comm -13 printed named
[[ -s named && -z $out ]] || fail "these verdicts are printed nowhere"

it "the alerts fire when they are to, and not before"
if ! no_promtool; then
    run promtool check rules "$prometheus/rules.yml"
    status_is 0
    run promtool test rules "$prometheus/rules_test.yml"
    status_is 0
    alerts=$(sed -nE 's/^ +- alert: //p' "$prometheus/rules.yml" | sort -u)
    fired=$(grep -A2 'alertname:' "$prometheus/rules_test.yml" | sed -nE 's/^ +- alertname: //p' | sort -u)
    [[ $alerts == "$fired" ]] || fail "expected each alert to fire in the test: $(diff <(echo "$alerts") <(echo "$fired"))"
fi

# A real Prometheus that reads two hosts: one with faults, one without a fabric.
asked() { curl -sf --data-urlencode "query=$1" http://127.0.0.1:9090/api/v1/query; }
serve() {
    mkdir served
    cp faults.prom served/a.txt # served as text/plain: Prometheus 3 reads nothing of another type
    cp textfile/rocectl.prom served/b.txt
    cat >prometheus.yml <<END
global: {scrape_interval: 500ms}
scrape_configs:
  - {job_name: a, metrics_path: /a.txt, static_configs: [{targets: ["127.0.0.1:9100"]}]}
  - {job_name: b, metrics_path: /b.txt, static_configs: [{targets: ["127.0.0.1:9100"]}]}
END
    python3 -m http.server --bind 127.0.0.1 --directory served 9100 >/dev/null 2>&1 &
    servers=$!
    prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:9090 \
        --log.level=error >prometheus.log 2>&1 &
    servers+=" $!"
    for _ in {1..100}; do
        [[ $(asked rocectl_doctor_ports | jq '.data.result | length') != 2 ]] || return 0
        sleep 0.1
    done
    return 1
}

it "every panel of the dashboard shows something of a host with faults"
if ! command -v prometheus >/dev/null || ! command -v curl >/dev/null; then
    skip "no prometheus or curl here"
elif ! serve; then
    kill $servers
    fail "prometheus read nothing: $(<prometheus.log)"
else
    while IFS= read -r expression; do
        found=$(asked "${expression//\$instance/.*}" | jq '.data.result | length')
        ((found > 0)) || fail "nothing shown by: $expression"
    done < <(expressions)
    kill $servers
fi

done_testing
