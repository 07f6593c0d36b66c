#!/bin/bash
# What is as desired now and would not be after a reboot.
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

root=$work/root
mkdir -p "$root"/etc/{sysctl.d,rocectl,network,netplan,NetworkManager/system-connections} \
    "$root"/etc/systemd/{network,system/multi-user.target.wants} "$root"/{run,usr/lib,usr/local/lib}/sysctl.d
# No links: those would lead within the root.
mkdir "$root"/{proc,sys}
mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
trap '((BASHPID != $$)) || { umount -R -l "$root/proc" "$root/sys" && rm -rf --one-file-system "$work"; }' EXIT
ip link add rail0 type veth peer name far0
ip link set far0 up
ip link set rail0 up mtu 1400
ip address add 198.18.0.1/31 dev rail0
sysctl -qw net.core.somaxconn=2222 net.ipv4.conf.rail0.arp_ignore=1

profile=$root/etc/rocectl/rail.json
cat >"$profile" <<'END'
{ "format": 1, "name": "rail",
  "ports": [ { "match": { "name": "rail0" }, "up": true, "mtu": 1400, "addresses": ["198.18.0.1/31"],
               "ip": { "arp_ignore": 1 } } ],
  "host": { "sysctl": { "net.core.somaxconn": 2222 } } }
END
units=$root/etc/systemd/system
mkdir -p "$root/usr/lib/systemd/system/sysinit.target.wants"
ln -s ../systemd-sysctl.service "$root/usr/lib/systemd/system/sysinit.target.wants/systemd-sysctl.service"
enable() { ln -sf "/lib/systemd/system/$1" "$units/multi-user.target.wants/$1"; }
verify() { rocectl verify "$profile" --root "$root" --persistent "$@"; }
# What is found of a setting: its id, and its text.
found_of() {
    jq -e --arg key "$1" --arg id "$2" --arg text "$3" \
        '[.findings[] | select(.setting == $key or .key == $key) | select(.id == $id and (.text | contains($text)))] | length > 0' <<<"$out" >/dev/null ||
        fail "expected of $1: $2: $3"
}

it "what no file says is lost, and that is a difference"
rocectl verify "$profile" --root "$root"
status_is 0
verify
status_is 2
out_has "nothing that is read at boot sets it"
out_has "ok: 5 values match on 1 port and the host; after a reboot: 5 values otherwise"

it "files of systemd restore what they say, by name and line"
printf '# rails\n[Match]\nName=rail*\n\n[Link]\nMTUBytes=1400\n\n[Network]\nAddress=198.18.0.1/31\n' >"$root/etc/systemd/network/10-rail.network"
printf '# rocectl\nnet.core.somaxconn = 2222\nnet/ipv4/conf/rail0/arp_ignore=1\n' >"$root/etc/sysctl.d/90-rail.conf"
verify -o json
status_is 2
found_of host.sysctl restored-at-boot "/etc/sysctl.d/90-rail.conf:2"
found_of mtu lost-at-boot "/etc/systemd/network/10-rail.network:6 says it, and systemd-networkd.service is not enabled"
enable systemd-networkd.service
verify
status_is 0
out_has "/etc/systemd/network/10-rail.network:6"
out_has "after a reboot too"

it "a service that is masked does nothing, and one that is wanted by no boot neither"
ln -s /dev/null "$units/systemd-networkd.service"
verify -o json
status_is 2
found_of mtu lost-at-boot "systemd-networkd.service is not enabled"
rm "$units/systemd-networkd.service"
mkdir "$units/rescue.target.wants"
mv "$units"/{multi-user,rescue}.target.wants/systemd-networkd.service
verify
status_is 2
mv "$units"/{rescue,multi-user}.target.wants/systemd-networkd.service
verify
status_is 0

it "JUnit has a case for each desired value, and none is skipped for being restored"
verify -o junit
status_is 0
out_has 'failures="0"'
out_has 'skipped="0"'

it "another value is told with the line that says it"
mkdir -p "$root/usr/lib/systemd/network/10-rail.network.d"
printf '[Link]\nMTUBytes=9K\n' >"$root/usr/lib/systemd/network/10-rail.network.d/mtu.conf"
verify -o json
status_is 2
found_of mtu overwritten-at-boot "/usr/lib/systemd/network/10-rail.network.d/mtu.conf:2 says 9216, and systemd-networkd sets that at boot"
found_of addresses restored-at-boot "10-rail.network:9"
verify -o junit
status_is 2
out_has 'failures="1"'
mkdir -p "$root/etc/systemd/network/10-rail.network.d"
ln -s /dev/null "$root/etc/systemd/network/10-rail.network.d/mtu.conf"
verify
status_is 0

it "rocectl's own unit restores what nothing else sets otherwise"
rm "$root"/etc/sysctl.d/90-rail.conf
printf '[Service]\nExecStart=/usr/bin/rocectl apply --yes /etc/rocectl/rail.json\n' >"$units/rocectl.service"
verify
status_is 2
enable rocectl.service
verify
status_is 0
out_has "set again at boot by rocectl.service (/etc/systemd/system/rocectl.service:2)"
mv "$units"/multi-user.target.{wants,requires} # what RequiredBy= makes of it
verify
status_is 0
mv "$units"/multi-user.target.{requires,wants}
printf 'net.core.somaxconn = 1\n' >"$root/usr/lib/sysctl.d/10-early.conf"
verify
status_is 0
sed -i 's/1400/1300/' "$root/etc/systemd/network/10-rail.network"
verify -o json
status_is 2
found_of mtu overwritten-at-boot "10-rail.network:6 says 1300"
sed -i 's/1300/1400/; /Address/d' "$root/etc/systemd/network/10-rail.network"
verify -o json
status_is 1
found_of addresses unknown-at-boot "may take away what it was not told of"
printf 'Address=198.18.0.1/31\n' >>"$root/etc/systemd/network/10-rail.network"

it "what is in /run is gone after a boot"
mkdir -p "$root/run/systemd/network" "$root/run/systemd/system/multi-user.target.wants"
mv "$units/multi-user.target.wants/rocectl.service" "$root/run/systemd/system/multi-user.target.wants"
verify
status_is 2
mv "$root/run/systemd/system/multi-user.target.wants/rocectl.service" "$units/multi-user.target.wants"
mv "$root/etc/systemd/network/10-rail.network" "$root/run/systemd/network/10-netplan-rail0.network"
printf 'vm.swappiness = 1\n' >"$root/run/sysctl.d/99-gone.conf"
mv "$units/multi-user.target.wants/rocectl.service" "$work/kept"
verify -o json
status_is 2
found_of mtu lost-at-boot "nothing that is read at boot sets it"
mv "$work/kept" "$units/multi-user.target.wants/rocectl.service"
mv "$root/run/systemd/network/10-netplan-rail0.network" "$root/etc/systemd/network/10-rail.network"
rm "$root/run/sysctl.d/99-gone.conf"

it "a unit that may not do what it takes, or goes back, restores nothing that is known"
cp "$units/rocectl.service" "$work/unit"
for change in 's/--yes/--yes --confirm 60s/' 's/--yes/--yes --port rail0/' 's#ExecStart=.*#ExecStart=/bin/echo apply --yes /etc/rocectl/rail.json#' 's#^.Service.#[Unit]\nConditionPathExists=/nowhere\n[Service]#'; do
    sed -i "$change" "$units/rocectl.service"
    verify
    [[ $status != 0 ]] || fail "expected no pass after $change"
    cp "$work/unit" "$units/rocectl.service"
done
verify
status_is 0

it "a unit with another profile, or other values, restores nothing that is known"
sed -i 's/rail.json/other.json/' "$units/rocectl.service"
verify
status_is 1
out_has "it applies another profile"
sed -i 's/other.json/rail.json/' "$units/rocectl.service"
verify --set unused=1 2>/dev/null
sed -i 's/--yes //' "$units/rocectl.service"
verify
status_is 1
out_has "without --yes"
rm "$units/multi-user.target.wants/rocectl.service"

it "a snapshot can be judged elsewhere, and says the same"
for form in text json; do
    verify -o "$form"
    here=$out
    rocectl snapshot "$profile" --root "$root" -o host.json
    status_is 0
    rocectl verify "$profile" --root "$root" --persistent --state host.json -o "$form"
    [[ $out == "$here" ]] || fail "expected the same of the snapshot: $here"
done

it "a module that modprobe.d keeps out is lost, though it is there now and a file of modules-load.d names it"
other=$work/other
mkdir -p "$other"/{proc,etc/modprobe.d,etc/modules-load.d,usr/lib/systemd/system/sysinit.target.wants}
ln -s ../systemd-modules-load.service "$other/usr/lib/systemd/system/sysinit.target.wants/systemd-modules-load.service"
echo 'rdma_ucm 28672 0 - Live 0x0000000000000000' >"$other/proc/modules"
echo rdma-ucm >"$other/etc/modules-load.d/a.conf"
echo '{ "format": 1, "name": "module", "host": { "modules": ["rdma_ucm"] } }' >"$work/module.json"
rocectl verify "$work/module.json" --root "$other" --persistent
status_is 0
out_has "set again at boot by /etc/modules-load.d/a.conf:1"
echo "blacklist rdma_ucm" >"$other/etc/modprobe.d/a.conf"
rocectl verify "$work/module.json" --root "$other" --persistent
status_is 2
out_has "/etc/modprobe.d/a.conf:1 blacklists rdma_ucm"

it "a file that cannot be read, or is none, makes the rest unknown"
mkfifo "$root/etc/sysctl.d/99-pipe.conf"
verify -o json
found_of host.sysctl unknown-at-boot "/etc/sysctl.d/99-pipe.conf: is no file"
rm "$root/etc/sysctl.d/99-pipe.conf"
truncate -s 2M "$root/etc/sysctl.d/99-large.conf"
verify -o json
found_of host.sysctl unknown-at-boot "/etc/sysctl.d/99-large.conf: File too large"
rm "$root/etc/sysctl.d/99-large.conf"
head -c 100000 /dev/urandom >"$root/etc/sysctl.d/00-noise.conf"
head -c 100000 /dev/urandom >"$root/etc/systemd/network/00-noise.network"
head -c 100000 /dev/urandom >"$root/etc/network/interfaces"
verify
[[ $status == [012] ]] || fail "expected a verdict"
rm "$root"/etc/sysctl.d/00-noise.conf "$root/etc/systemd/network/00-noise.network" "$root/etc/network/interfaces"

it "a file that tells no size, as those of proc(5), is read to its end"
(
    echo -n 'vm.stat = 7' >/proc/self/task/$BASHPID/comm
    touch "$root/etc/sysctl.d/95-odd.conf"
    mount --bind "/proc/$BASHPID/comm" "$root/etc/sysctl.d/95-odd.conf"
    "$binary" snapshot --root "$root" -o odd.json
    umount "$root/etc/sysctl.d/95-odd.conf"
)
jq -e '.host | tostring | contains("vm.stat = 7")' odd.json >/dev/null || fail "expected its line in the snapshot"
rm "$root/etc/sysctl.d/95-odd.conf"

it "no secret of a file gets into a snapshot"
printf '[connection]\ntype=ethernet\n[802-1x]\npassword=hunter2\n[ethernet]\nmtu=1400\n' >"$root/etc/NetworkManager/system-connections/a.nmconnection"
printf 'auto rail0\niface rail0 inet manual\n  wpa-psk hunter2\n  up login hunter2\n' >"$root/etc/network/interfaces"
rocectl snapshot "$profile" --root "$root"
status_is 0
out_has a.nmconnection
out_lacks hunter2
enable NetworkManager.service
verify -o json
found_of mtu unknown-at-boot "a.nmconnection: NetworkManager leaves it out, since others than root may read it"
rm "$root/etc/network/interfaces" "$root/etc/NetworkManager/system-connections/a.nmconnection" "$units/multi-user.target.wants/NetworkManager.service"

it "netplan's files count where it generated from them"
mkdir -p "$root/run/systemd/network"
echo 'network: {}' >"$root/etc/netplan/01.yaml"
verify -o json
found_of mtu unknown-at-boot "netplan has not generated anything from it"
cp "$root/etc/systemd/network/10-rail.network" "$root/run/systemd/network/10-netplan-rail0.network"
rm "$root/etc/systemd/network/10-rail.network"
verify -o json
found_of mtu restored-at-boot "/run/systemd/network/10-netplan-rail0.network"
touch -d '+5 seconds' "$root/etc/netplan/01.yaml"
verify -o json
found_of mtu unknown-at-boot "/etc/netplan/01.yaml is newer than what netplan generated"
rm "$root/etc/netplan/01.yaml"

# The order of files as systemd-analyze knows it, and what comes of their lines as systemd-sysctl sets them.
random_sysctls() {
    local folder file line keys=(net.core.somaxconn net/core/somaxconn 'net.core.soma*' -net.core.somaxconn
        net.ipv4.conf.rail0.arp_ignore net/ipv4/conf/rail0/arp_ignore 'net.ipv4.conf.*.arp_ignore'
        'net.ipv4.conf.rail*.arp_ignore' -net.ipv4.conf.rail0.arp_ignore net.ipv4.conf.all.arp_ignore)
    rm -rf "$root"/{etc,usr/local/lib,usr/lib}/sysctl.d/*
    for folder in etc usr/local/lib usr/lib; do
        for file in 10-a 20-b 30-c; do
            ((RANDOM % 3)) || continue
            for ((line = RANDOM % 3; line > 0; line--)); do
                printf '%s = %s\n' "${keys[RANDOM % ${#keys[@]}]}" $((RANDOM % 3)) >>"$root/$folder/sysctl.d/$file.conf"
            done
            ((RANDOM % 9)) || ln -sf /dev/null "$root/$folder/sysctl.d/$file.conf"
        done
    done
}
set_by_systemd() {
    sysctl -qw net.core.somaxconn=4096 net.ipv4.conf.all.arp_ignore=0 net.ipv4.conf.rail0.arp_ignore=0
    systemd-analyze cat-config --root "$root" sysctl.d | sed -n 's/^# \(\/.*\.conf\)$/\1/p' >"$work/order"
    mapfile -t files <"$work/order"
    ((${#files[@]} == 0)) || "$sysctl_tool" "${files[@]}" 2>/dev/null
}
it "of random files of sysctl.d the same comes as systemd-sysctl sets"
sysctl_tool=/usr/lib/systemd/systemd-sysctl
if ! command -v systemd-analyze >/dev/null || [[ ! -x $sysctl_tool ]]; then
    skip "no systemd here"
else
    printf '{ "format": 1, "name": "rail", "ports": [ { "match": { "name": "rail0" }, "ip": { "arp_ignore": 1 } } ],\n  "host": { "sysctl": { "net.core.somaxconn": 2 } } }\n' >"$profile"
    decided=0
    for ((round = 0; round < ${PERSISTENT_ROUNDS:-12}; round++)); do
        random_sysctls
        verify -o json
        foretold=$out
        set_by_systemd
        rocectl verify "$profile" --root "$root" -o json
        for key in host.sysctl ip.arp_ignore; do
            said=$(jq -r --arg key "$key" '.findings[] | select((.setting // .key) == $key and (.id | endswith("-at-boot"))) | .id' <<<"$foretold")
            # What the host's own value makes impossible is a failure, and no difference that a write fixes.
            differs=$(jq --arg key "$key" '[.differences[], (.findings[] | select(.level == "failure"))] | [.[] | select((.setting // .key) == $key)] | length' <<<"$out")
            case $said:$differs in
                restored-at-boot:0 | overwritten-at-boot:1) decided=$((decided + 1)) ;;
                lost-at-boot:* | unknown-at-boot:*) ;;
                *) fail "$key: foretold '$said', and systemd-sysctl left $differs differences of: $(grep -rH . "$root"/*/sysctl.d "$root"/usr/lib/sysctl.d | sed "s:$root::")" ;;
            esac
        done
    done
    ((decided > 0)) || fail "expected some that files decide"
fi

done_testing
