#!/bin/bash
# A state file is anybody's: cut off, huge or made to harm, it ends a command with 65 and a reason, and soon.
# takes: 35 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

good=$states/soft-roce.json
echo '{ "format": 1, "name": "lo", "ports": [ { "match": { "name": "*" }, "mtu": 9000 } ] }' >desired.json
sanitized=$(grep -c __asan_init "$binary")

# bounded MB ARGUMENT...: rocectl, with so much memory at most, but where a sanitizer takes what it likes, and for half a minute.
bounded() {
    local most=$(($1 * 1024))
    shift
    called=$*
    ((sanitized == 0)) || most=unlimited
    status=0
    (ulimit -v "$most" && exec timeout 30 "$binary" "$@") >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(head -c 1000000 "$work/.out") err=$(head -c 10000 "$work/.err")
}

# refused FILE [REASON]: by every command that takes it, with the file's name in front.
refused() {
    local command
    for command in "doctor --state $1" "verify desired.json --state $1" "snapshot --state $1" "doctor --state $good --since $1"; do
        # shellcheck disable=SC2086 # the words of a command
        bounded 100 $command
        status_is 65
        err_has "rocectl: $1:${2:-}"
        [[ -z $out ]] || fail "expected nothing to be printed"
    done
}

mkfifo pipe
timeout 30 "$binary" doctor --state pipe >pipe.out 2>pipe.err &
waits=$!
mkfifo late
timeout 30 "$binary" show --state late >late.out 2>late.err &
reads=$!
(sleep 1 && cat "$good" >late) &

it "what is no file of a state"
: >empty
refused empty "1:1: found the end of the file"
mkdir folder
refused folder " Is a directory"
refused nowhere " No such file or directory"
refused /dev/null "1:1: found the end of the file"
cp "$good" private
chmod 000 private
chmod 755 "$work"
as_nobody=()
((EUID != 0)) || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
err=$("${as_nobody[@]}" "$binary" doctor --state "$work/private" 2>&1) && fail "expected a status"
err_has "private: Permission denied"

it "every twentieth of a file that is cut off there"
for file in "$good" "$states/e810.json"; do
    size=$(stat -c %s "$file")
    for ((i = 1; i < 20; i++)); do
        head -c $((size * i / 20)) "$file" >part
        bounded 100 doctor --state part
        status_is 65
        err_lines 1
        err_has "rocectl: part:"
    done
done
refused part

it "bytes, names and shapes that no state has"
printf '{"format":1,"ports":[{"name":"a\xff"}]}' >bytes
refused bytes "1:32: found byte 0xff"
printf '{"format":1,"ports":[{"name":"a\0"}]}' >bytes
refused bytes "1:32: found a NUL byte"
printf '{"format":1,"ports":[{"name":"a\\u0000b"}]}' >bytes
refused bytes "1:"
printf '{"format":1,"ports":[{"name":"a\\u001b[2J"}]}' >bytes
refused bytes "1:30: /ports/0/name: found 'a?[2J'"
printf '{"format":1,"ports":[{"name":"a","mtu":1500,"mtu":9000}]}' >bytes
refused bytes "1:45: /ports/0/mtu: found 'mtu' again"
printf '{"ports":%.0s' {1..1000} >bytes
refused bytes "1:577: found values nested deeper than 64"
printf '{"ports":[{"name":"a","mtu":1e999999999}]}' >bytes
refused bytes "1:"

it "every value of a state is of another kind, at once and by itself"
for value in null true -1 1.5 18446744073709551615 1e300 '""' '"\u001b[2J"' '"\u0000"' '"0-4294967295"' '[]' '[null]' '{}' '{"x":1}'; do
    jq -c --argjson other "$value" 'del(.format) | (.. | scalars) |= $other' "$good" >wrong
    bounded 100 doctor --state wrong
    status_is 65
    err_has "rocectl: wrong:1:"
    # As if rocectl had written it down: then nothing is refused for its value, and every check looks at it.
    jq -c --argjson other "$value" '(.ports | map(.name)) as $names | (.. | scalars) |= $other | .format = 1 | .command = "snapshot" |
        .ports |= [to_entries[] | .value + {name: $names[.key], driver: "mlx5_core"}]' "$states/mlx5_core.json" >wrong
    bounded 100 doctor --state wrong -o json
    case $status in
        65) json_is '.errors | length > 0' ;;
        [012]) json_is '.counts.crash == 0' ;;
        *) fail "expected a status that the manual has, found $status" ;;
    esac
done
i=0
while read -r place; do
    for value in null -1 '"65536"' '[[]]'; do
        # One in eleven of all pairs; which ones is the same each time.
        ((i++ % 11 == 0)) || continue
        jq -c --argjson place "$place" --argjson other "$value" 'setpath($place; $other) | .command = "snapshot"' "$good" >wrong
        bounded 100 doctor --state wrong -o json
        [[ $status == [012] || $status == 65 ]] || fail "expected a status that the manual has, found $status with $value at $place"
    done
done < <(jq -c 'paths(scalars)' "$good")

it "megabytes of one thing take no more than a file of that size, and seconds"
megabytes=100
((sanitized == 0)) || megabytes=10
for byte in '[' 9 '"' '\0' ',' -; do
    head -c $((megabytes * 1000000)) /dev/zero | tr '\0' "$byte" >huge
    bounded 250 doctor --state huge
    status_is 65
    err_lines 1
    err_has "rocectl: huge:1:"
done
rm huge
bounded 500 snapshot --state /dev/zero
status_is 65
err_has "/dev/zero: File too large"

it "a pipe that nobody writes is waited for, and not for ever"
wait $reads || fail "expected a pipe that is written late to be read"
[[ $(<late.out) == *PORT* ]] || fail "expected the ports of the state"
wait $waits
status=$?
err=$(<pipe.err) out=$(<pipe.out) called="doctor --state pipe"
status_is 65
err_has "pipe: is a pipe that nobody writes"

done_testing
