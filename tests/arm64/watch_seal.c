// SPDX-License-Identifier: Apache-2.0
// A plugin of qemu-aarch64, to be loaded with -plugin watch_seal.so,log=FILE: asks the filters that a process hands to seccomp(2) of each
// system call that it and its children make from then on, as the kernel would (kernel/seccomp.c seccomp_run_filters: of several answers the
// strictest counts). FILE gets a line "PID call NUMBER passes" or "PID call NUMBER is refused with CODE, ARGUMENTS" for each first time, and
// "PID filter LENGTH". qemu 7.2 has no seccomp for what it emulates, and a plugin cannot keep a call from being made: nothing is enforced.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of qemu-plugin.h, which Debian 12 does not ship.
typedef uint64_t qemu_plugin_id_t;
typedef void (*Callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                         uint64_t);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, Callback callback);
__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { kSeccomp = 277, kFilters = 8, kNumbers = 512 };  // include/uapi/asm-generic/unistd.h

static struct {
    struct sock_filter* program;
    unsigned length;
} filters[kFilters];
static unsigned filter_count;
static unsigned char reported[kNumbers][2];
static const char* log_path;

static void tell(const char* line) {
    const int file = open(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, line, strlen(line)) < 0) abort();
    close(file);
}

// The classic BPF that filters are made of (kernel/seccomp.c seccomp_check_filter); what it does not know is no answer.
static uint32_t run(const struct sock_filter* program, unsigned length, const struct seccomp_data* data) {
    uint32_t a = 0;
    for (unsigned at = 0; at < length; ++at) {
        const struct sock_filter* s = &program[at];
        switch (s->code) {
            case BPF_LD | BPF_W | BPF_ABS:
                if (s->k > sizeof *data - sizeof a) abort();
                memcpy(&a, (const char*)data + s->k, sizeof a);
                break;
            case BPF_JMP | BPF_JA: at += s->k; break;
            case BPF_JMP | BPF_JEQ | BPF_K: at += a == s->k ? s->jt : s->jf; break;
            case BPF_JMP | BPF_JGT | BPF_K: at += a > s->k ? s->jt : s->jf; break;
            case BPF_JMP | BPF_JGE | BPF_K: at += a >= s->k ? s->jt : s->jf; break;
            case BPF_JMP | BPF_JSET | BPF_K: at += (a & s->k) != 0 ? s->jt : s->jf; break;
            case BPF_RET | BPF_K: return s->k;
            default: abort();
        }
    }
    abort();
}

static void take(const struct sock_fprog* given) {
    char line[80];
    if (filter_count == kFilters) abort();
    const size_t size = given->len * sizeof(struct sock_filter);
    filters[filter_count].program = malloc(size);
    filters[filter_count].length = given->len;
    memcpy(filters[filter_count++].program, given->filter, size);
    memset(reported, 0, sizeof reported);
    snprintf(line, sizeof line, "%d filter %u\n", (int)getpid(), given->len);
    tell(line);
}

static void called(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                   uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)cpu, (void)g, (void)h;
    if (filter_count > 0 && number >= 0 && number < kNumbers) {
        const struct seccomp_data data = {.nr = (int)number, .arch = AUDIT_ARCH_AARCH64, .args = {a, b, c, d, e, f}};
        uint32_t answer = SECCOMP_RET_ALLOW;
        for (unsigned i = 0; i < filter_count; ++i) {
            const uint32_t one = run(filters[i].program, filters[i].length, &data);
            if ((int32_t)(one & SECCOMP_RET_ACTION_FULL) < (int32_t)(answer & SECCOMP_RET_ACTION_FULL)) answer = one;
        }
        const int refused = answer != SECCOMP_RET_ALLOW;
        char line[240];
        if (refused)
            snprintf(line, sizeof line, "%d call %d is refused with %u, 0x%llx 0x%llx 0x%llx 0x%llx 0x%llx\n", (int)getpid(), (int)number,
                     answer & SECCOMP_RET_DATA, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
                     (unsigned long long)d, (unsigned long long)e);
        else
            snprintf(line, sizeof line, "%d call %d passes\n", (int)getpid(), (int)number);
        if (!reported[number][refused]) tell(line);
        reported[number][refused] = 1;
    }
    // A guest of 64 bits has the addresses of its emulator (guest_base is 0, unless -B says otherwise).
    if (number == kSeccomp && a == SECCOMP_SET_MODE_FILTER) take((const struct sock_fprog*)c);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
    (void)info;
    if (argc != 1 || strncmp(argv[0], "log=", 4) != 0) return 1;
    log_path = strdup(argv[0] + 4);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
