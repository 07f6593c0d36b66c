// SPDX-License-Identifier: Apache-2.0
// fail_queue_pairs PID: brings the queue pairs that a process has open over soft RoCE into the error state, as a device does
// that gave up on them. By the process' own file of the device (pidfd_getfd(2)) and ibv_modify_qp's command
// (include/uapi/rdma/ib_user_verbs.h), called as UVERBS_METHOD_INVOKE_WRITE lets it be. Prints how many there were.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

enum { kState = 1 << 0, kError = 6, kHandles = 256 };  // IB_QP_STATE, IB_QPS_ERR

static int fail_one(int device, unsigned handle) {
    struct ib_uverbs_modify_qp wanted;
    struct {
        struct ib_uverbs_ioctl_hdr head;
        struct ib_uverbs_attr attrs[2];
    } call;
    memset(&wanted, 0, sizeof wanted);
    wanted.qp_handle = handle;
    wanted.attr_mask = kState;
    wanted.qp_state = kError;
    memset(&call, 0, sizeof call);
    call.head.length = sizeof call;
    call.head.object_id = UVERBS_OBJECT_DEVICE;
    call.head.method_id = UVERBS_METHOD_INVOKE_WRITE;
    call.head.num_attrs = 2;
    call.head.driver_id = RDMA_DRIVER_RXE;
    call.attrs[0].attr_id = UVERBS_ATTR_WRITE_CMD;
    call.attrs[0].len = sizeof(__u64);
    call.attrs[0].flags = UVERBS_ATTR_F_MANDATORY;
    call.attrs[0].data = IB_USER_VERBS_CMD_MODIFY_QP;
    call.attrs[1].attr_id = UVERBS_ATTR_CORE_IN;
    call.attrs[1].len = sizeof wanted;
    call.attrs[1].flags = UVERBS_ATTR_F_MANDATORY;
    call.attrs[1].data = (__u64)(unsigned long)&wanted;
    return ioctl(device, RDMA_VERBS_IOCTL, &call) == 0;
}

int main(int argc, char** argv) {
    char folder[64], target[128];
    int failed = 0;
    const int pid = argc == 2 ? atoi(argv[1]) : 0;
    const int process = (int)syscall(SYS_pidfd_open, pid, 0);
    snprintf(folder, sizeof folder, "/proc/%d/fd", pid);
    DIR* files = opendir(folder);
    if (process < 0 || files == NULL) {
        perror(folder);
        return 1;
    }
    for (struct dirent* one = readdir(files); one != NULL; one = readdir(files)) {
        const ssize_t length = readlinkat(dirfd(files), one->d_name, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = 0;
        if (strncmp(target, "/dev/infiniband/uverbs", 22) != 0) continue;
        const int device = (int)syscall(SYS_pidfd_getfd, process, atoi(one->d_name), 0);
        for (unsigned handle = 0; device >= 0 && handle < kHandles; ++handle)
            failed += fail_one(device, handle);
    }
    printf("%d\n", failed);
    return failed == 0;
}
