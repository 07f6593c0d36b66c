// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/diagnosis.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/model/finding_names.hpp"
#include "core/model/letters.hpp"
#include "core/model/shell.hpp"

namespace core {
namespace {

bool is_found(const Check& check) {
    return check.verdict == Verdict::fail || check.verdict == Verdict::warn;
}

/// Whether all that the other row found follows from this one.
bool explains(const Suspect& cause, const Suspect& other) {
    return std::ranges::all_of(
        other.checks, [&](const Check* check) { return follows_from(*check, *cause.row); });
}

/// Whether each of its checks follows from what was found by the values, though not all from one.
bool is_of_several(const Suspect& suspect) {
    return std::ranges::none_of(suspect.checks,
                                [](const Check* check) { return check->follows.empty(); });
}

std::vector<Suspect> suspects(const Examination& examination) {
    std::vector<Suspect> out;
    for (const Check& check : examination.checks) {
        if (!is_found(check)) continue;
        if (out.empty() || out.back().row != check.row)
            out.push_back({.row = check.row, .weight = check.row->cause.weight});
        out.back().checks.push_back(&check);
        out.back().verdict = std::max(out.back().verdict, check.verdict);
    }
    return out;
}

std::set<std::string> places(const Suspect& suspect) {
    std::set<std::string> out;
    for (const Check* check : suspect.checks)
        out.insert(check->port);
    return out;
}

using Bonds = std::map<std::string, std::string>;  ///< by their members

/// Whether one of these places is the port, its bond or a member of it.
bool reaches(const std::set<std::string>& at, const std::string& port, const Bonds& bonds) {
    const auto bond = bonds.find(port);
    return at.contains(port) || (bond != bonds.end() && at.contains(bond->second)) ||
           std::ranges::any_of(bonds, [&](const auto& each) {
               return each.second == port && at.contains(each.first);
           });
}

/// Whether every place of the one has the other too, or the host has it.
bool covers(const Suspect& cause, const Suspect& other, const Bonds& bonds) {
    const std::set<std::string> at = places(cause);
    if (at.contains(std::string(kHost))) return true;
    return std::ranges::all_of(places(other),
                               [&](const std::string& port) { return reaches(at, port, bonds); });
}

/// Of two that explain each other, by way of others too, the one that comes first is the cause.
class Families {
public:
    Families(std::vector<Suspect>& all, const Bonds& bonds) : all_(all), bonds_(bonds) {}

    std::vector<Suspect> roots() {
        std::vector<Suspect> out;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (!is_explained(i)) out.push_back(with_all_below(i));
        return out;
    }

private:
    [[nodiscard]] bool explained_by(std::size_t one, std::size_t cause) const {
        if (one == cause) return false;
        if (is_of_several(all_[one]))
            return std::ranges::any_of(all_[one].checks, [&](const Check* check) {
                return check->follows.contains(all_[cause].row->id);
            });
        return explains(all_[cause], all_[one]) && covers(all_[cause], all_[one], bonds_) &&
               !(cause > one && explains(all_[one], all_[cause]));
    }

    [[nodiscard]] bool is_explained(std::size_t one) const {
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (explained_by(one, i)) return true;
        return false;
    }

    Suspect with_all_below(std::size_t root) {
        Suspect out = all_[root];
        std::set<std::size_t> seen = {root};
        std::vector<std::size_t> open = {root};
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            for (std::size_t i = 0; i < all_.size(); ++i) {
                if (seen.contains(i) || !explained_by(i, at)) continue;
                seen.insert(i);
                open.push_back(i);
            }
        }
        for (const std::size_t i : seen) {
            out.verdict = std::max(out.verdict, all_[i].verdict);
            out.weight = std::max(out.weight, all_[i].weight);
            if (i != root) out.follows.push_back(all_[i].row);
        }
        return out;
    }

    std::vector<Suspect>& all_;
    const Bonds& bonds_;
};

/// What stands for the word: what a fault is about may be another port than was looked at.
std::string named(const Check& check, const std::string& word) {
    for (const Fault& fault : check.faults)
        if (const auto known = fault.names.find(word); known != fault.names.end())
            return known->second;
    return word == "PORT" && check.port != kHost ? shell(check.port) : word;
}

std::string filled(std::string_view text, const Check& check) {
    std::string out;
    std::string word;
    const auto end_word = [&] {
        out += named(check, word);
        word.clear();
    };
    for (const char letter : text) {
        if (is_letter(letter)) {
            word += letter;
            continue;
        }
        end_word();
        out += letter;
    }
    end_word();
    return out;
}

}  // namespace

std::vector<Suspect> causes(const Examination& examination) {
    std::vector<Suspect> all = suspects(examination);
    std::vector<Suspect> out = Families(all, examination.bonds).roots();
    std::ranges::stable_sort(out, std::greater<>(), [](const Suspect& suspect) {
        const bool special = suspect.row != &findings::drift;
        const bool certain = suspect.weight != Weight::risk;
        return std::tuple(suspect.verdict, certain, special, suspect.weight, suspect.follows.size(),
                          suspect.checks.size());
    });
    return out;
}

std::string test_of(const Suspect& cause) {
    return filled(cause.row->cause.test, *cause.checks.front());
}

std::string test_of(const Check& check) {
    return filled(check.row->cause.test, check);
}

std::string ruled_out_by(const Suspect& cause) {
    return filled(cause.row->cause.ruled_out_by, *cause.checks.front());
}

Diagnosis diagnose(const Inquiry& inquiry) {
    Diagnosis out;
    out.examination = examine_host(inquiry);
    out.causes = causes(out.examination);
    out.chains = chains(inquiry, out.examination, out.causes);
    return out;
}

std::map<Verdict, std::size_t> tally(const Examination& examination) {
    std::map<Verdict, std::size_t> out;
    for (const Check& check : examination.checks)
        ++out[check.verdict];
    return out;
}

Status status_of(const Examination& examination, bool strict) {
    const auto counted = tally(examination);
    const auto any = [&](Verdict verdict) { return counted.contains(verdict); };
    if (any(Verdict::fail) || (strict && any(Verdict::warn))) return Status::differs;
    const bool none = examination.ports.empty() ||
                      (!any(Verdict::pass) && !any(Verdict::warn) && !any(Verdict::accepted));
    return none || any(Verdict::unknown) || any(Verdict::crash) ? Status::failed : Status::done;
}

}  // namespace core
