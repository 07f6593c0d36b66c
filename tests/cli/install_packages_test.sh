#!/bin/bash
# takes: 8 s
# packaging/install-packages, with apt's own folders in a place of its own: nothing is asked of a mirror, and nothing is installed.
. "$(dirname "$0")/assert.bash"
install=$here/packaging/install-packages

mkdir -p apt/{etc/apt.conf.d,etc/preferences.d,etc/trusted.gpg.d,state/lists/partial,cache/archives/partial}
: >apt/etc/sources.list
cat >apt.conf <<END
Dir::Etc "$work/apt/etc";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$work/apt/state";
Dir::Cache "$work/apt/cache";
END
export APT_CONFIG=$work/apt.conf
echo 'rocectl-no-such-package?' >optional
printf '# a comment\nbash\nrocectl-no-such-package\n' >needed

installs() {
    called="install-packages $*" status=0 out=''
    "$install" "$@" 2>.err || status=$?
    err=$(<.err)
}

it "with --no-install what is missing is named, and the exit status is 77"
installs --no-install needed
status_is 77
err_has "not installed, and needed: rocectl-no-such-package"
[[ $err != *bash* ]] || fail "bash is installed"

it "with --no-install nothing is said where nothing is missing"
echo bash >there
installs --no-install there
status_is 0
err_lines 0

if ((EUID != 0)); then
    it "another program's lock is waited for"
    skip "needs root"
    done_testing
fi

it "what is about to be installed is said first"
installs optional
status_is 0
err_has "installing: rocectl-no-such-package"

it "another program's lock is waited for, which is said once"
# As apt locks: fcntl(2), of which flock(1) knows nothing.
python3 -c 'import fcntl, sys, time
lock = open(sys.argv[1], "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
open("locked", "w").close()
time.sleep(5)' apt/state/lists/lock &
until [[ -e locked ]]; do sleep 0.1; done
installs optional
wait
status_is 0
err_has "waiting for apt's lock, 300 s at most"
[[ $(grep -c "waiting for apt's lock" <<<"$err") == 1 ]] || fail "said more than once"

it "what apt says beside is an error at once"
installs needed
status_is 100
err_has "Unable to locate package rocectl-no-such-package"
done_testing
