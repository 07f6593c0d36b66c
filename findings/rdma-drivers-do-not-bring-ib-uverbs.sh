#!/bin/bash
# Guess: whoever loads an RDMA driver has ib_uverbs, and so /dev/infiniband, since each driver's module depends on it, as in Linux 6.1.
# Seen: in Linux 7.3 (Debian 7.3.4-1~bpo13+1) rdma_rxe, mlx5_ib, bnxt_re and irdma depend on ib_core, and on ib_uverbs none;
# what mlx5_ib and bnxt_re share with it is a module of its own, ib_uverbs_support, which makes no device node. A host that loaded the driver alone has an
# RDMA device, links that are up, and nothing that a program could open until something loads ib_uverbs: udev's rules of rdma-core, or a request for
# RDMA_NLDEV_CMD_GET_CHARDEV.
# Runs modinfo on the modules of two kernel packages of Debian, unpacked in a temporary folder; 200 MB are fetched. 77 where they cannot be had.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
skip() { echo "skip: $*"; exit 77; }
site=$(apt-get indextargets --format '$(SITE)' | grep -E '/debian/?$' | head -n 1)
[[ $site ]] || skip "no Debian mirror among the configured package sources"
mkdir -p lists/partial archives/partial
for suite in bookworm bookworm-updates trixie-backports; do
    echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site%/} $suite main"
done >sources.list
echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site%/}-security bookworm-security main" >>sources.list
apt=(-qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists"
    -o Dir::Cache="$work" -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false)
apt-get "${apt[@]}" update >&2 || skip "Debian's package lists cannot be had"

# depends PACKAGE=VERSION MODULE...: a line a module, of that package.
depends() {
    local package=$1 module file
    shift
    apt-get "${apt[@]}" download "$package" >&2 || skip "no $package"
    mkdir "${package%%=*}"
    dpkg-deb -x "${package%%=*}"_*.deb "${package%%=*}"
    for module in "$@"; do
        file=$(find "${package%%=*}" -name "$module.ko*")
        [[ ! $file ]] || echo "$module: $(/sbin/modinfo -F depends "$file" | tr , '\n' | grep -x 'ib_.*' | sort | paste -sd' ')"
    done
}
drivers=(rdma_rxe mlx5_ib bnxt_re irdma)
old=$(depends linux-image-6.1.0-56-amd64=6.1.192-2 "${drivers[@]}")
new=$(depends linux-modules-7.3.4+deb13-amd64=7.3.4-1~bpo13+1 "${drivers[@]}")
printf 'Linux 6.1:\n%s\nLinux 7.3.4:\n%s\n' "$old" "$new"
diff <(echo "$old") - <<'END'
rdma_rxe: ib_core ib_uverbs
mlx5_ib: ib_core ib_uverbs
irdma: ib_core ib_uverbs
END
diff <(echo "$new") - <<'END'
rdma_rxe: ib_core
mlx5_ib: ib_core ib_uverbs_support
bnxt_re: ib_core ib_uverbs_support
irdma: ib_core
END
