// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/socket.hpp"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <cerrno>
#include <new>

namespace netlink {
namespace {

// The kernel fills dumps in pieces of at most 32 KiB (net/netlink/af_netlink.c, netlink_recvmsg).
constexpr std::size_t kDatagramBytes = 65536;
constexpr int kReceiveBufferBytes = 1024 * 1024;
constexpr int kDumpTries = 8;

void set_option(const nl_sock* socket, int option, int value) {
    // An older kernel without the option gives less text or unfiltered dumps, which is allowed for.
    setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, option, &value, sizeof(value));
}

constexpr int kMostErrno = 4095;  // MAX_ERRNO, include/linux/err.h

/// libnl folds errno into fewer codes of its own, so errno itself is taken.
[[noreturn]] void throw_errno(const std::string& what) {
    const int code = errno == 0 ? EIO : errno;
    throw KernelError(code, what);
}

}  // namespace

std::optional<KernelError> error_in(const nlmsghdr& header, Bytes payload) {
    const auto code = header_of<std::int32_t>(payload);
    if (!code || *code >= 0) return std::nullopt;

    // NLMSG_ERROR holds the code and the header of the request, then, unless capped, the rest of
    // the request; NLMSG_DONE holds the code alone.
    std::size_t skip = sizeof(std::int32_t);
    if (header.nlmsg_type == NLMSG_ERROR) {
        skip = sizeof(nlmsgerr);
        const auto error = header_of<nlmsgerr>(payload);
        if (error && (header.nlmsg_flags & NLM_F_CAPPED) == 0 &&
            error->msg.nlmsg_len > sizeof(nlmsghdr))
            skip += aligned(error->msg.nlmsg_len - sizeof(nlmsghdr));
    }
    std::string detail;
    if ((header.nlmsg_flags & NLM_F_ACK_TLVS) != 0 && skip < payload.size())
        detail = Attributes(payload.subspan(skip)).text(NLMSGERR_ATTR_MSG);
    return KernelError(*code < -kMostErrno ? EIO : -*code, detail);
}

Socket::Socket(int protocol) : socket_(nl_socket_alloc()) {
    if (!socket_) throw std::bad_alloc();
    errno = 0;
    if (nl_connect(socket_.get(), protocol) < 0) throw_errno("opening a netlink socket");
    // Fails only above the limit of net.core.rmem_max, and then keeps what it was.
    nl_socket_set_buffer_size(socket_.get(), kReceiveBufferBytes, 0);
    set_option(socket_.get(), NETLINK_EXT_ACK, 1);
    set_option(socket_.get(), NETLINK_CAP_ACK, 1);
    set_option(socket_.get(), NETLINK_GET_STRICT_CHK, 1);
}

int Socket::descriptor() const {
    return nl_socket_get_fd(socket_.get());
}

void Socket::send(Message& request, int flags) {
    nlmsghdr* header = nlmsg_hdr(request.raw());
    header->nlmsg_flags = static_cast<std::uint16_t>(header->nlmsg_flags | NLM_F_REQUEST | flags);
    header->nlmsg_seq = ++sequence_;
    header->nlmsg_pid = nl_socket_get_local_port(socket_.get());
    errno = 0;
    if (nl_send(socket_.get(), request.raw()) < 0) throw_errno("sending to the kernel");
}

Bytes Socket::datagram(std::span<std::byte> buffer) const {
    for (;;) {
        sockaddr_nl from{};
        socklen_t size = sizeof(from);
        errno = 0;
        // NOLINTNEXTLINE(*-reinterpret-cast)
        auto* const sender = reinterpret_cast<sockaddr*>(&from);
        const ssize_t length =
            recvfrom(descriptor(), buffer.data(), buffer.size(), MSG_TRUNC, sender, &size);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) throw_errno("receiving from the kernel");
        const auto whole = static_cast<std::size_t>(length);
        if (whole > buffer.size()) throw KernelError(EMSGSIZE, "receiving from the kernel");
        // Anybody may send to a netlink socket; only the kernel has port 0.
        if (from.nl_pid == 0) return buffer.first(whole);
    }
}

/// What is reported of a reply may ask again: that has a buffer of its own meanwhile.
class Socket::Loan {
public:
    explicit Loan(Socket& socket) : socket_(socket), bytes_(std::move(socket.buffer_)) {
        if (!bytes_) bytes_ = std::make_unique_for_overwrite<std::byte[]>(kDatagramBytes);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { socket_.buffer_ = std::move(bytes_); }
    [[nodiscard]] std::span<std::byte> bytes() const { return {bytes_.get(), kDatagramBytes}; }

private:
    Socket& socket_;
    Buffer bytes_;
};

Socket::Answer Socket::receive(Until until, const OnReply& on_reply) {
    const Loan buffer(*this);
    Answer answer;
    for (;;) {
        Bytes left = datagram(buffer.bytes());
        while (const auto header = header_of<nlmsghdr>(left)) {
            if (header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > left.size()) break;
            const Bytes payload =
                left.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
            const std::size_t step = aligned(header->nlmsg_len);
            left = left.subspan(step < left.size() ? step : left.size());

            // Answers to a request that was given up, after an exception.
            if (header->nlmsg_seq != sequence_) continue;
            if ((header->nlmsg_flags & NLM_F_DUMP_INTR) != 0) answer.consistent = false;
            if (header->nlmsg_type == NLMSG_ERROR || header->nlmsg_type == NLMSG_DONE) {
                answer.refused = error_in(*header, payload);
                return answer;
            }
            if (header->nlmsg_type < NLMSG_MIN_TYPE) continue;
            if (on_reply) on_reply({.type = header->nlmsg_type, .payload = payload});
            if (until == Until::reply) return answer;
        }
    }
}

bool Socket::complete(Until until, const OnReply& on_reply) {
    const Answer answer = receive(until, on_reply);
    if (answer.refused) throw KernelError(*answer.refused);
    return answer.consistent;
}

Refused Socket::ask(Message& request, const OnReply& on_reply) {
    send(request, 0);
    return receive(Until::reply, on_reply).refused;
}

void Socket::get(Message& request, const OnReply& on_reply) {
    if (const Refused no = ask(request, on_reply)) throw KernelError(*no);
}

void Socket::change(Message& request, const OnReply& on_reply) {
    send(request, NLM_F_ACK);
    complete(Until::end, on_reply);
}

void Socket::dump(Message& request, const std::function<void()>& restart, const OnReply& on_reply) {
    for (int tries = 0; tries < kDumpTries; ++tries) {
        restart();
        send(request, NLM_F_DUMP);
        if (complete(Until::end, on_reply)) return;
    }
    throw KernelError(EINTR, "the tables change faster than they can be read");
}

bool Socket::join(int group) const {
    return setsockopt(descriptor(), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) ==
           0;
}

std::optional<std::vector<std::vector<std::byte>>> Socket::drain() const {
    std::vector<std::vector<std::byte>> datagrams;
    std::vector<std::byte> buffer(kDatagramBytes);
    for (;;) {
        const ssize_t length = recv(descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == ENOBUFS) return std::nullopt;
        if (length <= 0) return datagrams;
        datagrams.emplace_back(buffer.begin(), buffer.begin() + length);
    }
}

}  // namespace netlink
