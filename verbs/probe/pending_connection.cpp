// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/pending_connection.hpp"

#include <utility>

#include "core/error.hpp"
#include "verbs/probe/messages.hpp"

namespace verbs {
namespace {

using core::probe::Message;
using std::chrono::milliseconds;

constexpr milliseconds kReachLimit{5000};
/// A server that is connecting to another and greeting it answers after ten seconds at most.
constexpr milliseconds kSilence{15'000};

core::Error no_server(const std::string& text) {
    return {core::Status::failed, text};
}

}  // namespace

PendingConnection::PendingConnection(const std::vector<SocketAddress>& addresses,
                                     const std::string& secret)
    : addresses_(addresses), handshake_(secret) {
    connect_next();
}

void PendingConnection::connect_next() {
    while (next_ < addresses_.size()) {
        std::string why;
        connecting_ = start_connecting(addresses_[next_++], why);
        end_ = Clock::now() + kReachLimit;
        if (why.empty()) return;
        why_ = why;
    }
    connecting_ = netlink::Descriptor();
}

void PendingConnection::go_on_connecting() {
    if (connecting_.number() < 0) throw no_server(why_);
    pollfd ready = awaited();
    if (::poll(&ready, 1, 0) <= 0) {
        if (Clock::now() < end_) return;
        why_ = "no answer in " + std::to_string(kReachLimit.count() / 1000) + " s";
        return connect_next();
    }
    const std::string why = connecting_failed(connecting_.number());
    if (!why.empty()) {
        why_ = why;
        return connect_next();
    }
    control_connection_.emplace(std::move(connecting_), ControlConnection::Side::client);
    step_ = Step::handshake;
    end_ = Clock::now() + kReachLimit;
}

pollfd PendingConnection::awaited() const {
    if (control_connection_)
        return {.fd = control_connection_->number(), .events = POLLIN, .revents = 0};
    return {.fd = connecting_.number(), .events = POLLOUT, .revents = 0};
}

void PendingConnection::ask(Message message, milliseconds limit) {
    question_ = std::move(message);
    limit_ = limit;
    if (is_authenticated()) send_question();
}

void PendingConnection::send_question() {
    if (!question_) return;
    control_connection_->send(*std::exchange(question_, std::nullopt));
    asked_ = true;
    heard_ = inquired_ = Clock::now();
    end_ = heard_ + limit_;
}

std::optional<Message> PendingConnection::take(const Message& said) {
    heard_ = Clock::now();
    if (step_ == Step::handshake) {
        if (!handshake_.go_on(*control_connection_, said)) return std::nullopt;
        step_ = Step::handshaken;
        send_question();
        return std::nullopt;
    }
    if (said.kind == "alive") return std::nullopt;
    asked_ = false;
    return said;
}

void PendingConnection::look_at_clock() {
    const Clock::time_point now = Clock::now();
    if (step_ == Step::handshake && now >= end_) throw PeerSilent(kServerSilent);
    if (!asked_) return;
    if (now >= end_) throw PeerSilent("it has not come to an end in time");
    if (now - heard_ >= kSilence) throw PeerSilent("the server says nothing any more");
    if (now - inquired_ < kBetweenInquiries) return;
    inquired_ = now;
    control_connection_->send({.kind = "alive"});
}

std::optional<Message> PendingConnection::go_on() {
    if (step_ == Step::connecting) go_on_connecting();
    if (!control_connection_) return std::nullopt;
    try {
        // Who never stops to speak gets his turn, and no more.
        constexpr int kMessages = 16;
        for (int i = 0; i < kMessages; ++i) {
            const auto said = control_connection_->receive_now();
            if (!said) break;
            if (auto answer = take(*said)) return answer;
        }
    } catch (const PeerGone&) {
        if (is_authenticated()) throw;
        throw PeerGone("its server ended the handshake: it has another secret");
    }
    look_at_clock();
    return std::nullopt;
}

void PendingConnection::close() {
    if (!is_authenticated()) return;
    try {
        if (asked_) control_connection_->send({.kind = "stop"});
        control_connection_->send({.kind = "close"});
    } catch (const std::exception&) {
        // A peer that is gone needs no notice.
    }
}

}  // namespace verbs
