# Sourced first by tests that write: runs them again in namespaces of their own, with /run and /var/lib of their own; skips them
# where there are none.

if [[ ${2:-} != inside ]]; then
    as_root=(--map-root-user)
    ((EUID != 0)) || as_root=()
    if ! unshare "${as_root[@]}" --net --mount true 2>/dev/null; then
        echo "skip $(basename "$0" _test.sh): no namespaces here"
        echo "0 passed, 0 failed, 1 skipped"
        exit 77
    fi
    exec unshare "${as_root[@]}" --net --mount "$0" "$1" inside
fi
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib

# elsewhere_begins SECONDS: another network namespace, kept for so long by the process $elsewhere, which is in it on return;
# not 0 where there is none.
elsewhere_begins() {
    local in_it status=0
    exec {in_it}< <(exec unshare --net bash -c 'echo in it; exec sleep "$0" >&-' "$1")
    elsewhere=$!
    read -r -u "$in_it" || status=$?
    exec {in_it}<&-
    return "$status"
}

# own_dev FOLDER: a /dev of the caller's own, in FOLDER, in which a log can be; no_own_dev FOLDER: the one before.
own_dev() {
    local node
    mkdir -p "$1"
    mount -t tmpfs tmpfs "$1"
    for node in /dev/{null,zero,random,urandom,loop*}; do
        [[ -c $node || -b $node ]] || continue
        : >"$1/${node#/dev/}"
        mount --bind "$node" "$1/${node#/dev/}"
    done
    mount --rbind "$1" /dev
}
no_own_dev() {
    umount -l /dev
    umount -l "$1"
}
