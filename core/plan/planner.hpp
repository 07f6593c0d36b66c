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
#include "core/plan/desired_list.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// What a step may cost: nothing; that it undoes or blocks another desired value; or that it breaks
/// a rule of its object too (ObjectRow::refuses). A step that costs more is tried where none that
/// costs less is left.
enum class Care : std::uint8_t { careful, may_undo, may_break_rule };

/// A step that could be written next: the unmet desired values of one object of one port.
struct Candidate {
    Step step;
    std::vector<std::size_t> desired_values;  ///< indexes into Planner::desired_values, ascending
    std::size_t port_rank = 0;
    bool removal = false;
    bool filled = false;  ///< the step has its changes, which it gets when it is to be tried
    /// How far it was tried in vain, for which its own port is reason enough: it is not tried again
    /// before that is looked at again.
    std::optional<Care> in_vain{};
    int order = 0;
};

/// Which candidate is tried first: its rank, and of equal ones as their ports and objects come.
using CandidateOrder = std::tuple<std::size_t, int, int, std::size_t, std::size_t>;

/// Plans by playing: chooses the first waiting step that the predicted state accepts and that
/// neither blocks nor undoes another desired value, plays it, and looks again at the ports that it
/// changed.
class Planner {
public:
    /// The desired values outlive it.
    Planner(const DesiredState& desired_values, State state, Force force);
    /// The whole plan, or only as far as its first step.
    Plan plan(bool to_first_step = false);

private:
    void add_desired(Desired desired);
    void expand_exact(const Exact& exact);
    bool all_desired(const std::string& port, const Field& field, const std::string& element) const;
    bool met(const Reading& now, std::size_t index) const;
    bool written_then_hidden(const Port& port, const Desired& desired) const;
    bool forced(const Desired& desired) const;
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
    bool report_irreplaceable(const Reading& before, const Reading& after, const Parts& changed);
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

    DesiredList desired_values_;
    DesiredIndex index_;           ///< of desired_values_
    std::vector<bool> abandoned_;  ///< desired values already reported as impossible
    Plan plan_;
    State predicted_;
    Modules loaded_;  ///< that the steps so far load
    Force force_;
    std::unordered_map<std::string, std::size_t> ranks_;  ///< of the plan's ports
    std::map<CandidateOrder, Candidate> waiting_;
    std::set<CandidateOrder> open_;  ///< of waiting_, those that were not tried with care in vain
    /// What was made of a port as it is now: its orders in waiting_, and which of its desired
    /// values are met.
    struct Examined {
        std::vector<CandidateOrder> orders{};
        std::vector<bool> met{};
        bool kept = false;  ///< the step that changed the port left them met
    };
    std::unordered_map<std::string, Examined> examined_;
    /// Of the port that was asked for last, as it is: what is asked of ports is port by port.
    std::optional<Reading> reading_;
    std::set<std::string> awaiting_;  ///< ports that get an RDMA device by themselves
    std::set<std::string> staged_;    ///< ports of which the rest is planned after a reload
    std::set<std::string> stale_;     ///< ports that have to be looked at again
    std::map<std::tuple<std::string, Object, bool>, unsigned> taken_;
};

}  // namespace core
