// SPDX-License-Identifier: Apache-2.0
#include "cli/run/timed_host.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json/json.hpp"
#include "core/model/parts.hpp"

namespace cli {
namespace {

std::string no_answer(const Answer& answer, std::chrono::milliseconds limit) {
    return "the kernel has not answered in " + std::to_string(limit.count()) + " ms; process " +
           std::to_string(answer.child) + " is left behind";
}

std::string subject_of(const core::Scope& scope) {
    std::string out;
    for (const core::Object object : scope.objects)
        out += (out.empty() ? "reading " : ", ") + std::string(core::row_of(object).name);
    return out;
}

/// The state as JSON; before it a line with the indices of its ports' links, which are no field's
/// value.
std::string with_indices(const core::State& state) {
    std::string out;
    for (const core::Port& port : state.ports)
        if (port.name != core::kHost) out += std::to_string(port.link ? port.link->index : 0) + ' ';
    return out + '\n' + core::written(state);
}

core::State parse_with_indices(std::string_view text) {
    const std::size_t line = text.find('\n');
    const char* at = text.data();
    core::State state =
        core::parse_state(text.substr(line + 1), "what was read", core::Values::observed);
    for (core::Port& port : state.ports) {
        if (port.name == core::kHost) continue;
        std::uint32_t index = 0;
        at = std::from_chars(at, text.data() + line, index).ptr + 1;
        if (port.link) port.link->index = index;
    }
    return state;
}

}  // namespace

Answer TimedHost::exchange(const std::function<std::string()>& work) const {
    try {
        return in_child(work, limit_, beat_);
    } catch (const NoProcess&) {
        return {.text = work()};
    }
}

core::State TimedHost::read(const core::Scope& scope) {
    const Answer answer = exchange([&] { return with_indices(open_()->read(scope)); });
    if (!answer.text)
        throw core::Error(core::Status::failed,
                          subject_of(scope) + ": " + no_answer(answer, limit_));
    return parse_with_indices(*answer.text);
}

std::optional<core::Refusal> TimedHost::write(const core::Step& step) {
    const auto work = [&]() -> std::string {
        const std::optional<core::Refusal> refusal = open_()->write(step);
        return refusal ? std::to_string(refusal->code) + ' ' + refusal->text : std::string();
    };
    const Answer answer = exchange(work);
    if (!answer.text) {
        late_.push_back(answer.child);
        return core::Refusal{.code = ETIMEDOUT, .text = no_answer(answer, limit_)};
    }
    if (answer.text->empty()) return std::nullopt;
    core::Refusal refusal;
    const char* const end = answer.text->data() + answer.text->size();
    const char* const text = std::from_chars(answer.text->data(), end, refusal.code).ptr;
    refusal.text.assign(text + 1, end);
    return refusal;
}

bool TimedHost::has_late_write() {
    return std::ranges::any_of(late_, is_left_behind);
}

bool TimedHost::wait(const core::Scope& scope, std::chrono::milliseconds time) {
    if (!listener_) listener_ = open_();
    return listener_->wait(scope, time);
}

std::optional<std::set<std::uint32_t>> TimedHost::changed_links() {
    if (!listener_) listener_ = open_();
    return listener_->changed_links();
}

std::chrono::milliseconds TimedHost::time() {
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace cli
