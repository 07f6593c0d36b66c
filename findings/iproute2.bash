#!/bin/bash
# What findings about rtnetlink begin with: `work`, a temporary folder; `ip` of Debian's iproute2 6.1.0-3, unpacked there; and in_network COMMAND...,
# which runs it in a network namespace of its own with the veth pair rail0 and far0, both up. 77 where one of them cannot be had.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "skip: $*"; exit 77; }
((EUID == 0)) || skip "network namespaces need root"
site=$(apt-get indextargets --format '$(SITE)' | grep -E '/debian/?$' | head -n 1)
[[ $site ]] || skip "no Debian mirror among the configured package sources"
mkdir -p "$work/lists/partial" "$work/archives/partial"
echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site%/} bookworm main" >"$work/sources.list"
apt=(-qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists"
    -o Dir::Cache="$work" -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false)
apt-get "${apt[@]}" update >&2 || skip "Debian's package lists cannot be had"
(cd "$work" && apt-get "${apt[@]}" download iproute2=6.1.0-3 libbpf1 libelf1 libmnl0 libcap2 libdb5.3 libtirpc3 libxtables12 libbsd0 libmd0 >&2) ||
    skip "no iproute2 6.1.0-3"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
ip() { LD_LIBRARY_PATH=$work/root/lib/x86_64-linux-gnu:$work/root/usr/lib/x86_64-linux-gnu "$work/root/bin/ip" "$@"; }
export work
export -f ip
in_network() {
    unshare --net bash -euc 'ip link set lo up && ip link add rail0 type veth peer name far0 && ip link set rail0 up && ip link set far0 up && "$@"' - "$@"
}
ip -V | grep -q iproute2-6.1.0 || { echo "another version: $(ip -V)"; exit 1; }
echo "Linux $(uname -r), $(ip -V)"
# same NAME EXPECTED: compares standard input with it.
same() { diff <(printf '%s\n' "$2") - >"$work/diff" && echo "$1: as said" || { echo "$1: otherwise than said"; cat "$work/diff"; return 1; }; }
