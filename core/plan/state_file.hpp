// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
    /// Writes alone change a file: none, but where one changed a carrier.
    [[nodiscard]] std::optional<std::set<std::uint32_t>> changed_links() override;
    [[nodiscard]] std::chrono::milliseconds time() override { return time_; }

    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] unsigned writes() const { return writes_; }

    /// Test hooks: `refuse` makes the nth write of the object from now on (1 is the next) fail, 0
    /// all of them; `lie` makes writes succeed without storing anything, as broken devices do.
    void refuse(Object object, const Refusal& refusal, unsigned nth = 1);
    void lie(Object object);

private:
    /// The ports that the scope names, and where it may mean others all ports; in their order.
    [[nodiscard]] std::vector<const Port*> meant(const Scope& scope) const;
    /// Forgets what no reader would be told, once after each write.
    void forget_untold();

    State state_;
    bool untold_ = true;  ///< there may be something to forget
    bool carriers_changed_ = false;
    unsigned writes_ = 0;
    std::chrono::milliseconds time_{};
    std::map<Object, std::pair<unsigned, Refusal>> refusals_;
    Objects lies_;
};

}  // namespace core
