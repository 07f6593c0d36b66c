// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/plan/kernel.hpp"

namespace core {

/// A host that is a state in memory and behaves as the driver rows say. `--state FILE` is this;
/// so is the double in the tests.
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

    /// Makes the nth write from now (1 is the next) of the object answer no, or yes while
    /// storing nothing: what broken devices do.
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
