// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netlink/socket.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "netlink/transport/error.hpp"
#include "netlink/transport/message.hpp"

namespace netlink {

/// One message of a reply, without its netlink header.
struct Reply {
    int type = 0;
    Bytes payload;
};
using OnReply = std::function<void(const Reply&)>;

/// The error in an NLMSG_ERROR or NLMSG_DONE message: errno and the text of the extended
/// acknowledgement. Nothing where the message acknowledges. Does not throw, and reads nothing past
/// the payload.
std::optional<KernelError> error_in(const nlmsghdr& header, Bytes payload);

/// A socket for requests to one netlink protocol. Where the kernel refuses a request, KernelError
/// is thrown with its errno and text, except by ask().
class Socket {
public:
    explicit Socket(int protocol);

    /// For a request with one reply that the kernel often refuses: returns the refusal.
    [[nodiscard]] Refused ask(Message& request, const OnReply& on_reply);
    /// For a request with one reply that the kernel seldom refuses: throws it as KernelError.
    void get(Message& request, const OnReply& on_reply);
    /// For a change: waits for the acknowledgement. Some changes are answered by a message before
    /// it. Throws KernelError.
    void change(Message& request, const OnReply& on_reply = {});
    /// For a request with many replies: collects what `decode` makes of each. A dump interrupted by
    /// a change is started again, up to eight times in all. Throws KernelError; with EINTR if the
    /// tables never stop changing.
    template <typename Item, typename Decode>
    std::vector<Item> dump(Message& request, const Decode& decode) {
        std::vector<Item> items;
        dump(
            request, [&items] { items.clear(); },
            [&items, &decode](const Reply& reply) {
                if (std::optional<Item> item = decode(reply)) items.push_back(std::move(*item));
            });
        return items;
    }

    /// The same, with each reply passed to `on_reply`. `restart` is called before the dump is
    /// started, the first time and again, so that the caller forgets earlier replies.
    void dump(Message& request, const std::function<void()>& restart, const OnReply& on_reply);

    /// Joins a multicast group; false where the kernel does not have it.
    [[nodiscard]] bool join(int group) const;
    /// The waiting messages of the joined groups, without blocking. Nothing where the kernel
    /// dropped some.
    [[nodiscard]] std::optional<std::vector<std::vector<std::byte>>> drain() const;
    [[nodiscard]] int descriptor() const;

private:
    void send(Message& request, int flags);
    enum class Until { reply, end };
    struct Answer {
        bool consistent = true;  ///< no change during the dump
        Refused refused{};
    };
    Answer receive(Until until, const OnReply& on_reply);
    /// Throws KernelError for a refusal. Returns whether the dump is consistent.
    bool complete(Until until, const OnReply& on_reply);
    /// The next datagram from the kernel, in `buffer`.
    [[nodiscard]] Bytes datagram(std::span<std::byte> buffer) const;

    using Buffer = std::unique_ptr<std::byte[]>;  // NOLINT(*-avoid-c-arrays)
    class Loan;
    struct Free {
        void operator()(nl_sock* socket) const { nl_socket_free(socket); }
    };
    std::unique_ptr<nl_sock, Free> socket_;
    Buffer buffer_{};  ///< for replies, allocated by the first
    std::uint32_t sequence_ = 0;
};

}  // namespace netlink
