// SPDX-License-Identifier: Apache-2.0
#include "core/probe/measuring.hpp"

#include <algorithm>
#include <iterator>

namespace core::probe {

std::vector<Operation> operations_of(const Measuring& measuring) {
    std::vector<Operation> out;
    for (const Operation one : measuring.operations)
        if (std::ranges::find(out, one) == out.end()) out.push_back(one);
    for (const Expectation& one : measuring.expectations)
        if (std::ranges::find(out, one.operation) == out.end()) out.push_back(one.operation);
    if (out.empty()) out.assign(std::begin(kOperations), std::end(kOperations));
    return out;
}

bool needs_rdma(const Measuring& measuring) {
    return std::ranges::any_of(operations_of(measuring), is_verb);
}

bool uses_rdma(const Measuring& measuring) {
    return std::ranges::any_of(operations_of(measuring),
                               [](Operation one) { return is_verb(one) || one == Operation::rpc; });
}

bool wants_bandwidth(const Measuring& measuring, Operation operation) {
    return measuring.bandwidth ||
           std::ranges::any_of(measuring.expectations, [&](const Expectation& one) {
               return one.operation == operation && one.bandwidth;
           });
}

Measuring without_verbs(Measuring measuring) {
    std::erase_if(measuring.operations, is_verb);
    std::erase_if(measuring.expectations,
                  [](const Expectation& one) { return is_verb(one.operation); });
    return measuring;
}

bool uses_tcp(const Measuring& measuring) {
    return !std::ranges::all_of(operations_of(measuring), is_verb);
}

std::vector<Measuring> combinations_of(const Measuring& measuring) {
    std::vector<Measuring> out;
    for (const std::string& completion : measuring.completions)
        for (const std::uint64_t size : measuring.sizes)
            for (const unsigned depth : measuring.depths) {
                Measuring& one = out.emplace_back(measuring);
                one.completion = completion;
                one.size = size;
                one.depth = depth;
                one.first_depth = depth == measuring.depths.front();
            }
    return out;
}

}  // namespace core::probe
