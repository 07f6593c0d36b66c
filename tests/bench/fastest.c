// SPDX-License-Identifier: Apache-2.0
// fastest TIMES PROGRAM [ARGUMENT]...: runs the program that often with its output thrown away, and
// prints the microseconds of the fastest run and the least processor time of one, which differ by
// what else runs on the machine. A shell's fork takes as long as what is measured.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;

static long microseconds(struct timeval time) {
    return time.tv_sec * 1000000L + time.tv_usec;
}

static long lesser(long least, long taken) {
    return least == 0 || taken < least ? taken : least;
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

int main(int count, char** arguments) {
    if (count < 3) return 64;
    posix_spawn_file_actions_t silence;
    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&silence, 1, 2);
    long elapsed = 0;
    long processor = 0;
    for (long times = strtol(arguments[1], NULL, 10); times > 0; --times) {
        pid_t child = 0;
        int status = 0;
        struct rusage usage;
        const long start = now();
        if (posix_spawn(&child, arguments[2], &silence, NULL, arguments + 2, environ) != 0 ||
            wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
            WEXITSTATUS(status) != 0) {
            fprintf(stderr, "fastest: %s does not run, or not to status 0\n", arguments[2]);
            return 1;
        }
        elapsed = lesser(elapsed, now() - start);
        processor = lesser(processor, microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
    }
    printf("%ld %ld\n", elapsed, processor);
    return 0;
}
