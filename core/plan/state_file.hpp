// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/plan/kernel.hpp"

namespace core {

/// A host simulated in memory that behaves as the rows of its drivers and objects say. It serves
/// `--state FILE` and the tests.
class StateFile final : public Kernel {
public:
    explicit StateFile(State state) : state_(std::move(state)) {
        state_.others.emplace();  // the file is the host: there are no other ports
    }

    [[nodiscard]] State read(const Scope& scope) override;
    [[nodiscard]] std::optional<Refusal> write(const Step& step) override;
    [[nodiscard]] bool wait(const Scope& scope, std::chrono::milliseconds time) override;
    [[nodiscard]] std::chrono::milliseconds time() override { return time_; }

    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] unsigned writes() const { return writes_; }

    /// Test hooks: `refuse` makes the nth write of the object from now on (1 is the next) fail, 0
    /// all of them; `lie` makes writes succeed without storing anything, as broken devices do.
    void refuse(Object object, const Refusal& refusal, unsigned nth = 1);
    void lie(Object object);

private:
    State state_;
    unsigned writes_ = 0;
    std::chrono::milliseconds time_{};
    std::map<Object, std::pair<unsigned, Refusal>> refusals_;
    Objects lies_;
};

}  // namespace core
