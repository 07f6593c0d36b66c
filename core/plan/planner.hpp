// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/model/parts.hpp"
#include "core/model/reading.hpp"
#include "core/objects/host/parts.hpp"
#include "core/plan/desired_index.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// What a step may do to other desired values when it is tried: nothing; undo or block some; break
/// a rule of its object too (ObjectRow::refuses). Each level is tried only when no step works at
/// the one before.
enum class Care : std::uint8_t { careful, may_undo, may_break_rule };

/// A step that could be written next: the unmet desired values of one object of one port.
struct Candidate {
    Step step;
    std::vector<std::size_t> desired_values;  ///< positions in Planner::desired_values_, ascending
    std::size_t port_rank = 0;
    bool removal = false;
    /// Whether the step has its changes: they are computed when it is first tried.
    bool filled = false;
    /// The level at which it failed for a reason of its own port. It is not tried again at that
    /// level until the port is examined again.
    std::optional<Care> in_vain{};
    int order = 0;
};

/// The key by which candidates are tried: rank of the port, removals first, order of the object,
/// then the position of the port and of the candidate.
using CandidateOrder = std::tuple<std::size_t, int, int, std::size_t, std::size_t>;

/// Plans by simulation: takes the first candidate accepted by the predicted state without harm to
/// another desired value, plays it, and examines the changed ports again. Repeats until no
/// candidate is left.
class Planner {
public:
    /// `desired_values` must outlive the planner.
    Planner(const DesiredState& desired_values, State state, Force force);
    /// The whole plan, or only up to its first step. Call once: it moves the result out.
    Plan plan(bool to_first_step = false);

private:
    void add_desired(Desired desired);
    void expand_exact(const Exact& exact);
    void add_of_intent(const ObjectRow& row, const std::string& name);
    bool is_desired(const std::string& port, const Field& field, const std::string& element) const;
    bool met(const Reading& now, std::size_t index) const;
    bool written_then_hidden(const Port& port, const Desired& desired) const;
    bool forced(const Desired& desired) const;
    void add_moves();
    void report_moves();
    void need(const Desired& desired);
    void look_again();
    Reading& reading_of(const Port& port);
    std::vector<Candidate> candidates_of(const std::string& name, const std::vector<bool>& kept);
    void order(const Reading& now, Candidate& candidate) const;
    void fill(const Reading& now, Candidate& candidate) const;
    void complete(Candidate& candidate);
    const std::vector<bool>* known_of(const std::string& port) const;
    bool harms(const Reading& now, const Reading& then, const Parts& changed, Object object) const;
    bool breaks_rule(const Port& port, const Step& step, const Port& then) const;
    bool try_take(Candidate& candidate, Care care);
    bool take_with_care();
    bool take_one();
    void report_rule(const Port& port, const Step& step, const Port& then);
    void report_gone();
    void report_remark(const Port& port, const Step& step, const Port& then);
    void forget_kept(const std::vector<Port>& ports);
    void keep_what_was_lost(const Reading& was, const Reading& now, const Parts& changed,
                            const Step& step);
    void run_later(const std::string& port, bool harmless);
    bool report_irreplaceable(const Reading& before, const Reading& after, const Parts& changed,
                              const Step& step);
    std::vector<std::size_t> to_blame(const Candidate& candidate);
    void give_up_step(const Candidate& candidate, bool only_optional);
    void give_up();
    void leave_external();
    void look_at_facts();
    void report_unmet();
    void report_stage(const std::string& name);
    void report_awaited(const std::string& name);
    void report_modules();
    bool comes_with_module(const Reading& now, const Desired& desired) const;
    std::size_t waiting_at(const Reading& now) const;
    bool waits(const Reading& now, std::size_t index) const;
    void report_desired(const Reading& now, std::size_t index);

    /// An element that goes from one port of the plan to another.
    struct Move {
        std::string from{};
        std::string to{};
        const Field* field = nullptr;
        std::string element{};
    };

    DesiredList desired_values_;
    DesiredIndex index_;           ///< over desired_values_
    std::vector<bool> abandoned_;  ///< desired values already reported, which no step is for
    Plan plan_;
    std::vector<Move> moves_{};
    State predicted_;
    Modules loaded_;  ///< by the steps so far
    Force force_;
    std::unordered_map<std::string, std::size_t> ranks_;  ///< positions of the plan's ports
    std::map<CandidateOrder, Candidate> waiting_;
    std::set<CandidateOrder> open_;  ///< those of waiting_ that can still be tried at Care::careful
    /// What the last examination of a port found: its keys in waiting_, and which of its desired
    /// values are met.
    struct Examined {
        std::vector<CandidateOrder> orders{};
        std::vector<bool> met{};
        bool kept = false;  ///< the step that changed the port left the met ones met
    };
    std::unordered_map<std::string, Examined> examined_;
    /// The port that was read last: questions come port by port.
    std::optional<Reading> reading_;
    std::set<std::string> awaiting_;  ///< ports that get an RDMA device by themselves
    std::set<std::string> staged_;    ///< ports whose rest is planned after a reload
    std::set<std::string> stale_;     ///< ports to examine again
    std::map<std::tuple<std::string, Object, bool>, unsigned> taken_;
};

}  // namespace core
