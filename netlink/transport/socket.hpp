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

/// One message of an answer, without its netlink header.
struct Reply {
    int type = 0;
    Bytes payload;
};
using OnReply = std::function<void(const Reply&)>;

/// The error in an NLMSG_ERROR or NLMSG_DONE message: errno and the text of the extended
/// acknowledgement; nothing where the message acknowledges. Throws nothing, reads nothing past.
std::optional<KernelError> error_in(const nlmsghdr& header, Bytes payload);

/// A request and reply channel to one netlink protocol. What the kernel refuses is thrown as
/// KernelError with the errno and text it sent.
class Socket {
public:
    explicit Socket(int protocol);

    /// A request that is answered by one message, or refused.
    [[nodiscard]] Refused ask(Message& request, const OnReply& on_reply);
    /// A request that is answered by one message, and seldom refused: a refusal is thrown as
    /// KernelError.
    void get(Message& request, const OnReply& on_reply);
    /// A request for a change, which is acknowledged; some are answered by a message before that.
    void change(Message& request, const OnReply& on_reply = {});
    /// A request that is answered by many messages. What `decode` makes of each is collected; a
    /// dump that a change interrupted is started again.
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

    /// A request that is answered by many messages, each handed to `on_reply`. `restart` is called
    /// whenever the dump is started, the first time too, to forget what came. Throws KernelError.
    void dump(Message& request, const std::function<void()>& restart, const OnReply& on_reply);

    /// Joins a multicast group; false where this kernel does not have it.
    [[nodiscard]] bool join(int group) const;
    /// The messages that one group sent, as many as wait to be read; nothing where some were lost.
    [[nodiscard]] std::optional<std::vector<std::vector<std::byte>>> drain() const;
    [[nodiscard]] int descriptor() const;

private:
    void send(Message& request, int flags);
    enum class Until { reply, end };
    struct Answer {
        bool consistent = true;  ///< no change fell into the dump
        Refused refused{};
    };
    Answer receive(Until until, const OnReply& on_reply);
    /// Throws where it is refused; whether it is consistent.
    bool complete(Until until, const OnReply& on_reply);
    /// The next one of the kernel, as it stands in the buffer.
    [[nodiscard]] Bytes datagram(std::span<std::byte> buffer) const;

    using Buffer = std::unique_ptr<std::byte[]>;  // NOLINT(*-avoid-c-arrays)
    class Loan;
    struct Free {
        void operator()(nl_sock* socket) const { nl_socket_free(socket); }
    };
    std::unique_ptr<nl_sock, Free> socket_;
    Buffer buffer_{};  ///< for answers, made at the first
    std::uint32_t sequence_ = 0;
};

}  // namespace netlink
