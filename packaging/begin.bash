# What packaging/deb, rpm and tarball begin with: reads [--build DIR] into $build and brings that tree up to date,
# makes the folder $out for what they make, and says what the version is. Sourced, with their arguments.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/build/packages
build=
usage() { echo "usage: packaging/$(basename "$0")$([[ $0 != */deb ]] || echo " [--arch arm64]") [--build DIR]   (DIR: a build tree of type Release)" >&2; exit 64; }
case $#:${1-} in
0:) ;;
2:--build) build=$(realpath "$2") ;;
*) usage ;;
esac
version=$(sed -nE 's/^project\(rocectl VERSION ([0-9.]+) .*/\1/p' "$root/CMakeLists.txt")
mkdir -p "$out"

# quietly COMMAND...: what it prints goes to a log, and is told where it fails.
quietly() {
    local log=$out/$(basename "$0").log
    "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; echo "$(basename "$0"): failed: $1" >&2; exit 1; }
}

# The sources as they are in this tree, in a new folder.
copy_sources() {
    rm -rf "$1"
    mkdir -p "$1"
    tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$1" -xf -
}

if [[ -n $build ]]; then
    [[ $(grep -cxE 'CMAKE_BUILD_TYPE:STRING=Release|ROCECTL_SANITIZE:BOOL=OFF' "$build/CMakeCache.txt") == 2 ]] ||
        { echo "$(basename "$0"): '$build' is no build tree of type Release without sanitizers" >&2; exit 1; }
    quietly cmake --build "$build" --target rocectl
fi
