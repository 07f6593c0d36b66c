#!/bin/bash
# What packaging/examples has for Slurm, LBNL NHC, node-problem-detector and Kubernetes, on a host that is well, one with faults, and one of
# which a value cannot be read.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

examples=$here/packaging/examples
mkdir -p programs root/etc/rocectl jobs
cp "$here"/profiles/*.json root/etc/rocectl
cp root/etc/rocectl/db-cluster.json root/etc/rocectl/site.json

# The program that the scripts run: the binary, on the host in ./state.
cat >programs/rocectl <<END
#!/bin/bash
exec "$binary" "\$@" --root "$work/root" --state "$work/state" \$([[ " \$* " != *" site "* || \$1 == snapshot ]] || echo --vars "$here/tests/vars/db-cluster.json")
END
# What the scripts say to Slurm and to the system's log.
for program in scontrol logger; do
    printf '#!/bin/bash\necho "%s $*" >>"%s/told"\n' "$program" "$work" >programs/$program
done
printf '[[ $1 != show ]] || cat "%s/node"\n' "$work" >>programs/scontrol
chmod +x programs/*
for file in slurm/prolog slurm/epilog slurm/health-check nhc/rocectl.nhc node-problem-detector/rocectl.json; do
    sed "s#/usr/bin/rocectl#$work/programs/rocectl#; s#/run/rocectl-jobs#$work/jobs#" "$examples/$file" >"$(basename "$file")"
done

cp "$states/db-cluster.json" faulty
rocectl apply site --root root --yes --vars "$here/tests/vars/db-cluster.json" --state faulty --out well
jq '(.ports[] | select(.name == "eth1")) |= (del(.pfc) | .refused = {pfc: {code: 1, text: "Operation not permitted"}})' well >unknown

# on STATE COMMAND...: what one of the scripts says and ends with.
on() {
    called="(not rocectl) $*" status=0
    cp "$1" state
    rm -f told
    PATH=$work/programs:$PATH SLURM_JOB_ID=7 SLURMD_NODENAME=node1 "${@:2}" >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err") told=
    [[ ! -e told ]] || told=$(<told)
}
told_is() { [[ $told == "$1" ]] || fail "expected to be told: $1; found: $told"; }
told_has() { [[ $told == *"$1"* ]] || fail "expected to be told: $1; found: $told"; }

it "Slurm's prolog starts a job only where the host is as the profile says"
on well bash prolog
status_is 0
told_is ""
jq -e '.command == "snapshot"' jobs/7.json >/dev/null || fail "expected a snapshot for the epilog"
rm jobs/7.json
on faulty bash prolog
status_is 1
told_has "logger -t rocectl-prolog job 7: verify ended with 2: "
[[ ! -e jobs/7.json ]] || fail "expected no snapshot"
on unknown bash prolog
status_is 1
told_has "verify ended with 1: unknown: eth1: pfc.priorities"

it "Slurm's epilog tells the log what was found since, and drains for a fault alone"
on well bash epilog
status_is 0
told_is ""
cp well jobs/7.json
on well bash epilog
status_is 0
told_is ""
[[ ! -e jobs/7.json ]] || fail "expected the snapshot to be gone"
cp well jobs/7.json
on faulty bash epilog
status_is 1
told_has "logger -t rocectl-epilog job 7: ROCE CRITICAL - "
cp well jobs/7.json
on unknown bash epilog
status_is 0
told_has "logger -t rocectl-epilog job 7: ROCE UNKNOWN - 22 checks could not be made"

it "Slurm's health check drains with the fault as the reason, and resumes only what it drained"
echo "NodeName=node1 State=IDLE" >node
on faulty bash health-check
told_has "scontrol update nodename=node1 state=drain reason=rocectl: ROCE CRITICAL - "
echo "NodeName=node1 State=IDLE+DRAIN Reason=disk [root@2026-01-01T00:00:00]" >node
on faulty bash health-check
told_has "logger -t rocectl-health-check ROCE CRITICAL - "
[[ $told != *"scontrol update"* ]] || fail "expected somebody else's reason to stay"
on well bash health-check
told_is "scontrol show node -o node1"
echo "NodeName=node1 State=IDLE+DRAIN Reason=rocectl: ROCE CRITICAL - drift on eth1 [root@2026-01-01T00:00:00]" >node
on well bash health-check
told_is "scontrol show node -o node1
scontrol update nodename=node1 state=resume"
on unknown bash health-check
told_is "logger -t rocectl-health-check ROCE UNKNOWN - 20 checks could not be made"

it "NHC's check fails with doctor's line, also for what cannot be read"
nhc() { on "$1" bash -c '
    die() { echo "died $*"; }
    log() { echo "logged $*"; }
    . ./rocectl.nhc
    check_rocectl "${@}"' check "${@:2}"; }
nhc well site
status_is 0
[[ -z $out ]] || fail "expected no word"
nhc faulty site
status_is 1
out_has "died 1 check_rocectl:  ROCE CRITICAL - "
out_lacks "|"
nhc unknown site
status_is 1
out_has "died 1 check_rocectl:  ROCE UNKNOWN - 20 checks could not be made"

it "node-problem-detector gets its statuses and no more bytes than it takes"
npd() {
    local path words
    path=$(jq -r '.rules[0].path' rocectl.json)
    mapfile -t words < <(jq -r '.rules[0].args[]' rocectl.json)
    on "$1" "$path" "${words[@]}"
    status_is "$2"
    ((${#out} <= $(jq '.pluginConfig.max_output_length' rocectl.json))) || fail "expected fewer bytes"
}
npd well 0
npd faulty 1
npd unknown 2
jq -e '[.conditions[].type] as $known | all(.rules[]; [.condition] | inside($known))' rocectl.json >/dev/null ||
    fail "expected each rule to have its condition"

it "the DaemonSet is what Kubernetes' API takes"
if ! /usr/bin/python3 -c 'import kubernetes, yaml' 2>/dev/null; then
    skip "no python3-kubernetes here"
else
    on well /usr/bin/python3 "$here/tests/cli/manifest" "$examples/kubernetes/daemonset.yaml"
    status_is 0
fi

it "the DaemonSet's commands do what they are to, with the profile of its ConfigMap"
if ! /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    skip "no python3-yaml here"
else
    /usr/bin/python3 - "$examples/kubernetes/daemonset.yaml" >objects.json <<'END'
import json, sys, yaml
print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))
END
    jq -r '.[] | select(.kind == "ConfigMap") | .data["site.json"]' objects.json >root/etc/rocectl/site.json
    words_of() { mapfile -t words < <(jq -r ".[] | select(.kind == \"DaemonSet\") | .spec.template.spec | $1" objects.json); }
    words_of '.initContainers[0] | .command[], .args[]'
    for number in 0 1 2 3 4 64; do
        got=0
        "${words[@]:0:4}" bash -c "exit $number" || got=$?
        case $number in 2 | 3 | 4) want=0 ;; *) want=$number ;; esac
        ((got == want)) || fail "an apply that ends with $number ends the container with $got"
    done
    words_of '.initContainers[0].args[]'
    [[ ${words[0]} == /usr/bin/rocectl ]] || fail "expected /usr/bin/rocectl"
    rocectl "${words[@]:1}" --root root --state "$states/mlx5_core.json" --out after
    status_is 0
    words_of '.containers[0].readinessProbe.exec.command[]'
    [[ ${words[0]} == /usr/bin/rocectl ]] || fail "expected /usr/bin/rocectl"
    rocectl "${words[@]:1}" --root root --state after
    status_is 0
    rocectl "${words[@]:1}" --root root --state "$states/mlx5_core.json"
    status_is 2
    # A watch has no end and takes no state: the refusal of the two together shows that all else was taken.
    words_of '.containers[0].args[]'
    rocectl "${words[@]}" --root root --state after
    status_is 64
    err_has "--watch"
fi

done_testing
