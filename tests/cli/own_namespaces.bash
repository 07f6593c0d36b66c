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
