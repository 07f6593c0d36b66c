// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// A step that could be taken next: the unmet wishes of one object of one port.
struct Candidate {
    Step step;
    std::vector<std::size_t> wishes;  ///< indexes into Planner::wishes
    std::size_t port_rank = 0;
    bool removal = false;
    auto key() const { return std::tuple(port_rank, removal ? 0 : 1, order); }
    int order = 0;
};

/// Plans by playing: takes the first waiting step that the predicted state accepts and that
/// neither blocks nor undoes another wish, plays it, and looks again.
class Planner {
public:
    Planner(const Wishes& wishes, const State& state, const Force& force);
    Plan plan();

private:
    enum class Patience : std::uint8_t { careful, may_undo, may_break_rule };

    void expand_exact(const Exact& exact);
    bool wished(const std::string& port, const Field& field, const std::string& element) const;
    bool met(const Port& port, std::size_t index) const;
    bool written_then_hidden(const Port& port, const Wish& wish) const;
    bool forced(const Wish& wish) const;
    void need(const Wish& wish);
    std::vector<const Candidate*> candidates();
    std::vector<Candidate> candidates_of(const std::string& name);
    void fill(Candidate& candidate) const;
    bool harms(const Port& now, const Port& then, Object object) const;
    bool breaks_rule(const Port& port, const Step& step) const;
    bool try_take(const Candidate& candidate, Patience patience);
    bool take_one(const std::vector<const Candidate*>& waiting);
    void report_rule(const Port& port, const Step& step);
    void report_gone();
    void report_remark(const Port& port, const Step& step);
    void keep_what_was_lost(const Port& before, const Step& step);
    bool report_irreplaceable(const Port& before, const Port& after);
    std::vector<std::size_t> to_blame(const Candidate& candidate);
    void give_up_step(const Candidate& candidate, bool only_optional);
    void give_up(const std::vector<const Candidate*>& waiting);
    void leave_external();
    void report_unmet();
    void report_stage(const std::string& name);
    bool waits(const Port& port, std::size_t index) const;
    void report_wish(const Port& port, std::size_t index);

    std::vector<Wish> wishes_;
    std::vector<bool> abandoned_;  ///< wishes already reported as impossible
    Plan plan_;
    State predicted_;
    Force force_;
    std::map<std::string, std::vector<Candidate>> waiting_;  ///< by port
    std::set<std::string> staged_;  ///< ports of which the rest is planned after a reload
    std::set<std::string> stale_;   ///< ports of which waiting_ has to be made again
    std::map<std::tuple<std::string, Object, bool>, unsigned> taken_;
};

}  // namespace core
