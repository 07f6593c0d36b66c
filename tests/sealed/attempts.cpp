// SPDX-License-Identifier: Apache-2.0
#include "tests/sealed/attempts.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace sealed {

namespace {

long opened(const std::string& path, int flags) {
    return open(path.c_str(), flags | O_CLOEXEC, 0644);  // NOLINT(*-vararg)
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

long netlink_change() {
    struct {
        nlmsghdr header{.nlmsg_len = sizeof(nlmsghdr) + sizeof(ifinfomsg),
                        .nlmsg_type = RTM_SETLINK,
                        .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
                        .nlmsg_seq = 1,
                        .nlmsg_pid = 0};
        ifinfomsg link{.ifi_family = AF_UNSPEC,
                       .__ifi_pad = 0,
                       .ifi_type = 0,
                       .ifi_index = 1,
                       .ifi_flags = IFF_UP,
                       .ifi_change = IFF_UP};
    } request;
    struct {
        nlmsghdr header{};
        nlmsgerr error{};
        std::array<char, 256> rest{};
    } answer;
    const int route = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (send(route, &request, sizeof(request), 0) < 0) return -1;
    if (recv(route, &answer, sizeof(answer), 0) < 0) return -1;
    errno = -answer.error.error;
    return errno == 0 ? 0 : -1;
}

const auto kFiles = std::to_array<Attempt>({
    {"open to read", 0, [](const Before& b) { return opened(b.there, O_RDONLY); }},
    {"open to write", EPERM, [](const Before& b) { return opened(b.there, O_WRONLY); }},
    {"open to read and write", EPERM, [](const Before& b) { return opened(b.there, O_RDWR); },
     EACCES},
    {"open and cut", EPERM, [](const Before& b) { return opened(b.there, O_RDONLY | O_TRUNC); }},
    {"open and make", EPERM, [](const Before& b) { return opened(b.fresh, O_RDONLY | O_CREAT); }},
    {"open a file without a name", EPERM,
     [](const Before& b) { return opened(b.folder, O_TMPFILE | O_RDWR); }},
    {"open a parameter of the kernel", EPERM,
     [](const Before&) { return opened("/proc/sys/net/ipv4/ip_forward", O_WRONLY); }},
    {"openat2", ENOSYS,
     [](const Before& b) {
         const open_how how{.flags = O_WRONLY, .mode = 0, .resolve = 0};
         return syscall(SYS_openat2, AT_FDCWD, b.there.c_str(), &how, sizeof(how));
     }},
    {"creat", ENOSYS,
     [](const Before& b) {
#ifdef SYS_creat
         return syscall(SYS_creat, b.fresh.c_str(), 0644);
#else
         errno = ENOSYS;
         return static_cast<void>(b), -1L;
#endif
     }},
    {"truncate", ENOSYS, [](const Before& b) -> long { return truncate(b.there.c_str(), 0); }},
    {"rename", ENOSYS,
     [](const Before& b) -> long { return rename(b.there.c_str(), b.fresh.c_str()); }},
    {"unlink", ENOSYS, [](const Before& b) -> long { return unlink(b.there.c_str()); }},
    {"link", ENOSYS,
     [](const Before& b) -> long { return link(b.there.c_str(), b.fresh.c_str()); }},
    {"symlink", ENOSYS,
     [](const Before& b) -> long { return symlink(b.there.c_str(), b.fresh.c_str()); }},
    {"mkdir", ENOSYS, [](const Before& b) -> long { return mkdir(b.fresh.c_str(), 0755); }},
    {"mkfifo", ENOSYS, [](const Before& b) -> long { return mkfifo(b.fresh.c_str(), 0644); }},
    {"chmod", ENOSYS, [](const Before& b) -> long { return chmod(b.there.c_str(), 0600); }},
    {"fchmod", ENOSYS, [](const Before& b) -> long { return fchmod(b.file, 0600); }},
    {"chown", ENOSYS, [](const Before& b) -> long { return chown(b.there.c_str(), 0, 0); }},
    {"utimensat", ENOSYS,
     [](const Before& b) -> long { return utimensat(AT_FDCWD, b.there.c_str(), nullptr, 0); }},
    {"setxattr", ENOSYS,
     [](const Before& b) -> long { return setxattr(b.there.c_str(), "user.a", "b", 1, 0); }},
    {"FS_IOC_SETFLAGS", EPERM,
     [](const Before& b) -> long {
         const long flags = 0x40;  // FS_NODUMP_FL
         return ioctl(b.file, FS_IOC_SETFLAGS, &flags);
     }},
});

const auto kProcesses = std::to_array<Attempt>({
    {"a signal", ENOSYS, [](const Before& b) -> long { return kill(b.victim, SIGCONT); }},
    {"a signal to a thread", EPERM,
     [](const Before& b) { return syscall(SYS_tgkill, b.victim, b.victim, SIGCONT); }},
    {"a signal to itself", 0,
     [](const Before&) { return syscall(SYS_tgkill, getpid(), gettid(), 0); }},
    {"a signal through a pidfd", ENOSYS,
     [](const Before& b) { return syscall(SYS_pidfd_open, b.victim, 0); }},
    {"prlimit of another", EPERM,
     [](const Before& b) -> long {
         const rlimit none{.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
         return prlimit(b.victim, RLIMIT_CORE, &none, nullptr);
     }},
    {"its own limit", EPERM,
     [](const Before&) -> long {
         const rlimit none{.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
         return setrlimit(RLIMIT_CORE, &none);
     }},
    {"its own limit, read", 0,
     [](const Before&) -> long {
         rlimit found{};
         return getrlimit(RLIMIT_CORE, &found);
     }},
    {"setpriority of another", ENOSYS,
     [](const Before& b) -> long {
         return setpriority(PRIO_PROCESS, static_cast<id_t>(b.victim), 19);
     }},
    {"sched_setaffinity of another", ENOSYS,
     [](const Before& b) -> long {
         cpu_set_t first{};
         CPU_SET(0, &first);
         return sched_setaffinity(b.victim, sizeof(first), &first);
     }},
    {"ptrace", ENOSYS,
     [](const Before& b) { return ptrace(PTRACE_SEIZE, b.victim, nullptr, nullptr); }},
    {"process_vm_readv", ENOSYS,
     [](const Before& b) { return syscall(SYS_process_vm_readv, b.victim, 0, 0, 0, 0, 0); }},
    {"process_vm_writev", ENOSYS,
     [](const Before& b) { return syscall(SYS_process_vm_writev, b.victim, 0, 0, 0, 0, 0); }},
    {"F_SETOWN", EPERM,
     [](const Before& b) -> long { return fcntl(b.datagrams, F_SETOWN, b.victim); }},
    {"F_SETLEASE", EPERM,
     [](const Before& b) -> long { return fcntl(b.file, F_SETLEASE, F_RDLCK); }},
    {"TIOCSTI", EPERM, [](const Before& b) -> long { return ioctl(b.terminal, TIOCSTI, "x"); }},
    {"TIOCSTI with another bit", EPERM,
     [](const Before& b) -> long { return ioctl(b.terminal, TIOCSTI | 1UL << 32U, "x"); }},
    {"whether it is a terminal", 0, [](const Before& b) -> long { return isatty(b.terminal) - 1; }},
    {"the same, as glibc 2.36 asks", 0, [](const Before& b) { return ask(b.terminal, TCGETS); }},
    {"the same, as glibc 2.42 asks", 0, [](const Before& b) { return ask(b.terminal, kTcgets2); }},
});

const auto kSockets = std::to_array<Attempt>({
    {"a UNIX socket", EPERM, [](const Before&) -> long { return socket(AF_UNIX, SOCK_STREAM, 0); }},
    {"a UDP socket", EPERM, [](const Before&) -> long { return socket(AF_INET, SOCK_DGRAM, 0); }},
    {"netlink of another protocol", EPERM,
     [](const Before&) -> long { return socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT); }},
    {"netlink", 0,
     [](const Before&) -> long { return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE); }},
    {"a netlink change", EPERM, [](const Before&) { return netlink_change(); }},
    {"connecting to root's UNIX socket", ENOSYS,
     [](const Before& b) -> long {
         return connect(b.datagrams, generic(b.address), sizeof(b.address));
     }},
    {"sending to root's UNIX socket", EPERM,
     [](const Before& b) {
         return sendto(b.datagrams, "x", 1, 0, generic(b.address), sizeof(b.address));
     }},
    {"sending to it through standard input", EPERM,
     [](const Before& b) {
         sockaddr_un to = b.address;
         msghdr message{};
         message.msg_name = &to;
         message.msg_namelen = sizeof(to);
         return sendmsg(STDIN_FILENO, &message, 0);
     }},
    {"a TCP connection", ENOSYS,
     [](const Before& b) -> long {
         const sockaddr to{.sa_family = AF_INET, .sa_data = {0, 9, 127, 0, 0, 1}};
         return connect(b.tcp, &to, sizeof(to));
     }},
    {"SIOCSIFMTU", EPERM,
     [](const Before& b) -> long {
         ifreq asked{};
         std::strcpy(asked.ifr_name, "lo");
         asked.ifr_mtu = 4200;
         return ioctl(b.datagrams, SIOCSIFMTU, &asked);
     }},
    {"the name of a port", 0,
     [](const Before&) -> long {
         ifreq asked{};
         asked.ifr_ifindex = 1;
         return ioctl(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), SIOCGIFNAME, &asked);
     }},
});

const auto kAttemptsWithRights = std::to_array<Attempt>({
    {"unshare(CLONE_NEWUSER)", ENOSYS,
     [](const Before&) -> long { return unshare(CLONE_NEWUSER); }},
    {"clone(CLONE_NEWUSER)", ENOSYS,
     [](const Before&) { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }},
    {"a child", ENOSYS, [](const Before&) -> long { return fork(); }},
    {"setns", ENOSYS,
     [](const Before&) -> long {
         return setns(open("/proc/self/ns/net", O_RDONLY), CLONE_NEWNET);  // NOLINT(*-vararg)
     }},
    {"a program", ENOSYS,
     [](const Before&) -> long { return execl("/bin/true", "true", nullptr); }},
    {"add_key", ENOSYS,
     [](const Before&) {
         return syscall(SYS_add_key, "user", "rocectl", "x", 1, KEY_SPEC_PROCESS_KEYRING);
     }},
    {"request_key", ENOSYS,
     [](const Before&) { return syscall(SYS_request_key, "user", "rocectl", nullptr, 0); }},
    {"keyctl", ENOSYS,
     [](const Before&) { return syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr); }},
    {"PR_SET_DUMPABLE", EPERM, [](const Before&) -> long { return prctl(PR_SET_DUMPABLE, 0); }},
    {"another filter", ENOSYS, [](const Before&) { return syscall(SYS_seccomp, 2, 0, "\2"); }},
    {"code in memory", EPERM,
     [](const Before&) -> long {
         void* const made =
             mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return made == MAP_FAILED ? -1 : 0;
     },
     0},
    {"a request of verbs", EPERM,
     [](const Before& b) -> long { return ioctl(b.file, RDMA_VERBS_IOCTL, nullptr); }, ENOTTY},
    {"io_uring", ENOSYS, [](const Before&) { return syscall(SYS_io_uring_setup, 1, nullptr); }},
    {"bpf", ENOSYS, [](const Before&) { return syscall(SYS_bpf, 0, nullptr, 0); }},
    {"perf_event_open", ENOSYS,
     [](const Before&) { return syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
    {"userfaultfd", ENOSYS, [](const Before&) { return syscall(SYS_userfaultfd, 1); }},
    {"mount", ENOSYS,
     [](const Before&) { return syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0); }},
    {"fsopen", ENOSYS, [](const Before&) { return syscall(SYS_fsopen, "tmpfs", 0); }},
    {"finit_module", ENOSYS, [](const Before&) { return syscall(SYS_finit_module, -1, "", 0); }},
});

}  // namespace

long ask(int terminal, unsigned long request) {
    std::array<char, 64> settings{};  // struct termios2 has 44 bytes
    return syscall(SYS_ioctl, terminal, request, settings.data());
}

std::vector<Attempt> attempts() {
    std::vector<Attempt> all(kFiles.begin(), kFiles.end());
    all.insert(all.end(), kProcesses.begin(), kProcesses.end());
    all.insert(all.end(), kSockets.begin(), kSockets.end());
    all.insert(all.end(), kAttemptsWithRights.begin(), kAttemptsWithRights.end());
    return all;
}

}  // namespace sealed
