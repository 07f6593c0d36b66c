#!/bin/bash
# What is wrong on the command line is one line and status 64.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

refuses() {
    it "64: rocectl $*"
    rocectl "$@"
    status_is 64
    err_lines 1
    [[ -z $out ]] || fail "expected nothing on standard output"
}

refuses
refuses frobnicate
refuses plan
refuses plan a b
refuses plan db-cluster --frobnicate
refuses plan db-cluster --confirm 30s
refuses plan db-cluster -o xml
refuses plan db-cluster -o
refuses plan db-cluster --set novalue
refuses plan db-cluster --state a --state b
refuses plan db-cluster --state ''
err_has "--state: found '', expected FILE"
refuses plan ''
err_has "plan: found '', expected PROFILE"
refuses snapshot -o ''
refuses explain ''
refuses plan db-cluster --root /nowhere/at/all
refuses apply db-cluster --yes --allow everything
refuses apply db-cluster --yes --out file
refuses apply db-cluster
refuses apply db-cluster -o commands
refuses apply db-cluster --plan file
refuses verify db-cluster --wait soon
refuses verify db-cluster --wait 1
refuses watch
refuses watch db-cluster --allow link
refuses watch db-cluster --state a
refuses watch db-cluster -o junit
refuses profile
refuses profile frobnicate
refuses profile check
refuses explain
refuses explain no.such.setting
refuses completion tcsh
refuses doctor a b
refuses audit a
refuses rollback
refuses rollback one --yes
refuses history one
refuses apply --yes
refuses apply db-cluster --yes --take firmwar
refuses apply db-cluster --yes --probe gateway
refuses apply db-cluster --yes --confirm soon
refuses apply db-cluster --yes --confirm 5s --state file
refuses apply db-cluster --yes --confirm 5s --probe nothing
refuses apply db-cluster --yes --confirm 5s --probe tcp:host
refuses apply --plan file --yes --set a=b
refuses confirm --status --extend 5s
refuses probe
refuses probe run
refuses probe mesh
refuses probe serve --bind 127.0.0.1
refuses probe run 127.0.0.1 --expect p99
refuses probe run 127.0.0.1 --operation atomic
refuses probe run 127.0.0.1 --flow-labels 65
refuses probe run 127.0.0.1 --direction back
refuses probe loopback 127.0.0.1
refuses probe loopback --all
refuses probe run 127.0.0.1 --size 1,
refuses probe run 127.0.0.1 --depth 1,x
refuses probe run 127.0.0.1 --completion poll,never
refuses probe run 127.0.0.1 --operation tcp -o perftest
refuses probe run 127.0.0.1 --completion poll,event -o perftest

it "an unknown setting names what is near"
rocectl explain pfc.priority
status_is 64
err_has pfc.priorities

it "--help of everything is text on standard output"
for command in '' plan apply rollback confirm history verify snapshot show explain profile 'profile check' 'profile schema' completion; do
    # shellcheck disable=SC2086 # the words of a command
    rocectl $command --help
    status_is 0
    out_has "Usage: rocectl"
    [[ -z $err ]] || fail "expected nothing on standard error"
done

it "--version names the version"
rocectl --version
status_is 0
[[ $out =~ ^rocectl\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "expected a version"

it "usage errors are a document too"
rocectl plan --frobnicate -o json
status_is 64
json_is '.format == 1 and .command == "plan" and .status == 64 and (.errors | length == 1) and (.rocectl | type == "string")'

it "output that cannot be written is not success"
if [[ -w /dev/full ]]; then
    status=0
    "$binary" --help >/dev/full 2>/dev/null || status=$?
    called='--help >/dev/full'
    status_is 1
else
    skip "no /dev/full"
fi

done_testing
