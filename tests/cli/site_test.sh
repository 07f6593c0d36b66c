#!/bin/bash
# packaging/examples/site-example: its job in a clean directory, with the binary as a package has it and nothing else of this tree.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

mkdir -p package/bin package/share/rocectl
cp "$binary" package/bin/rocectl
cp -r "$here/profiles" package/share/rocectl/profiles

# job: the job's own command, as both CI files have it, on a fresh copy to which the caller did something.
fresh() { rm -rf site && cp -r "$here/packaging/examples/site-example" site; }
job() {
    called="(not rocectl) ./check out" status=0
    (cd site && env -i PATH="$work/package/bin:/usr/bin:/bin" ./check out) >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
}
review_has() { grep -qF -- "$1" site/out/review.md || fail "expected in the review: $1"; }
# fails HOST NUMBER: how many cases of its JUnit file have failed.
fails() {
    local found
    found=$(python3 -c 'import sys, xml.dom.minidom as m
print(len(m.parse(sys.argv[1]).getElementsByTagName("failure")))' "site/out/$1.xml")
    [[ $found == "$2" ]] || fail "expected $2 failures of $1, found $found"
}

it "the example passes its own job, and its hosts are as desired"
fresh
job
status_is 0
out_has "db-1: rocectl plan ended with 0"
[[ $(ls site/out) == "database-db-1.xml
review.md
storage-st-1.xml" ]] || fail "expected a file for each host and the review, found $(ls site/out)"
[[ $(grep -c '^`nothing to change`$' site/out/review.md) == 2 ]] || fail "expected nothing to change"
fails database-db-1 0
fails storage-st-1 0

it "a change of a profile is shown, and is no failure"
fresh
sed -i 's/"mtu": 9000/"mtu": 4200/' site/profiles/storage.json
job
status_is 0
review_has '`2 ports, 1 setting; queues are made anew on eth2, eth3`'
review_has '| `mtu` | `9000` | `4200` | `queues` | `profiles/storage.json:11` |'
fails storage-st-1 0

it "what a host cannot hold fails the job, with the case in JUnit and the words in the review"
fresh
sed -i 's/"mtu": 9000/"mtu": 60000/' site/profiles/database.json
job
status_is 1
out_has "db-1: rocectl plan ended with 1"
fails database-db-1 1
review_has "cannot be applied: 1 failure"

it "a profile that is not valid fails the job, and says where"
fresh
sed -i 's/"mtu": 9000/"mtuu": 9000/' site/profiles/database.json
job
status_is 65
err_has "profiles/database.json:10"
[[ ! -e site/out/database-db-1.xml ]] || fail "expected no empty JUnit file"
review_has "profiles/database.json:10"

it "no host is no success"
fresh
rm -r site/hosts
job
status_is 1
err_has "no snapshot"

it "both CI files run the job and keep what it leaves"
if ! /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    skip "no python3-yaml here"
else
    /usr/bin/python3 - "$here"/packaging/examples/site-example/ci/{github,gitlab}.yml >"$work/.out" 2>"$work/.err" <<'X' || fail "expected both to run ./check out"
import sys, yaml
github, gitlab = (yaml.safe_load(open(name)) for name in sys.argv[1:])
steps = github["jobs"]["check"]["steps"]
assert any(step.get("run") == "./check out" for step in steps), steps
after = steps[[step.get("run") for step in steps].index("./check out") + 1:]
assert all(step["if"] == "always()" for step in after)
assert any("out/review.md" in step.get("run", "") for step in after) and any(step.get("with", {}).get("path") == "out/*.xml" for step in after)
job = gitlab["rocectl"]
assert job["script"] == ["./check out"] and job["artifacts"]["reports"]["junit"] == "out/*.xml" and job["artifacts"]["when"] == "always"
assert any("out/review.md" in line for line in job["after_script"])
X
fi

done_testing
