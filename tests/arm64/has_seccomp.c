// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD under qemu-aarch64, which has no seccomp(2) for what it emulates: the call is made, for ./watch_seal.c to see, and
// taken for one that the kernel has done, so that a process goes on as one that is sealed does.
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

static long svc(long number, const long* a) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a[0];
    register long x1 __asm__("x1") = a[1];
    register long x2 __asm__("x2") = a[2];
    register long x3 __asm__("x3") = a[3];
    register long x4 __asm__("x4") = a[4];
    register long x5 __asm__("x5") = a[5];
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}

long syscall(long number, ...) {
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
    va_end(list);
    const long result = svc(number, a);
    if (number == SYS_seccomp) return 0;
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}
