// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/seal.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>

#include "cli/seal/landlock.hpp"
#include "cli/seal/syscall_filter.hpp"

namespace cli {

namespace {

bool give_up_rights(Capabilities kept) {
    empty_bounding_set();
    keep_capabilities(kept);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;  // NOLINT(*-vararg)
}

}  // namespace

Seal seal(SealedFor purpose, Barriers barriers) {
    Seal seal;
    if (!give_up_rights(only(CAP_DAC_READ_SEARCH))) return seal;
    if (barriers.landlock) seal.landlock = close_files_by_landlock(purpose == SealedFor::devices);
    if (barriers.filter)
        seal.filter = filter_system_calls(seal.landlock > 0 ? purpose : SealedFor::files);
    return seal;
}

void seal_without_landlock() {
    if (give_up_rights(0)) filter_system_calls(SealedFor::devices);
}

void seal_but_for(Capabilities kept) {
    if (give_up_rights(kept)) filter_system_calls(SealedFor::rights);
}

void seal_but_for_firmware() {
    if (give_up_rights(0)) filter_system_calls(SealedFor::firmware);
}

Seal seal_but_for_sending(const Sending& sending) {
    Seal seal{.sends = true};
    if (!give_up_rights(0)) return seal;
    seal.landlock =
        close_files_by_landlock(true, {.tcp = sending.peer_ports, .udp = sending.datagrams});
    seal.filter = filter_system_calls(sending.to_itself ? SealedFor::loopback : SealedFor::sending);
    return seal;
}

void seal_but_for_waiting(pid_t child) {
    if (!give_up_rights(0)) return;
    close_files_but_signal();
    filter_system_calls(calls_of_waiting(child));
}

void seal_but_for_naming() {
    // A folder may be another's, and a sticky one asks whose the file is.
    if (give_up_rights(only(CAP_DAC_OVERRIDE) | only(CAP_FOWNER)))
        filter_system_calls(calls_of_naming());
}

void complete_seal() {
    keep_capabilities(0);
}

std::string text(const Seal& seal) {
    std::string out = "sealed: no capabilities";
    if (seal.landlock > 0) out += ", Landlock " + std::to_string(seal.landlock);
    if (seal.filter) out += ", a filter of system calls";
    if (seal.landlock == 0 && !seal.filter)
        out += "; this kernel offers nothing that keeps files from being written";
    if (!seal.allows_devices()) out += "; without Landlock, RDMA devices are not asked";
    if (seal.sends && seal.landlock == 0 && seal.filter)
        out += "; without Landlock, files that are there can be written";
    return out;
}

}  // namespace cli
