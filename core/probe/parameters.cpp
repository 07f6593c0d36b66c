// SPDX-License-Identifier: Apache-2.0
#include "core/probe/parameters.hpp"

#include <algorithm>
#include <iterator>

namespace core::probe {

std::vector<Operation> operations_of(const Parameters& parameters) {
    std::vector<Operation> out;
    for (const Operation one : parameters.operations)
        if (std::ranges::find(out, one) == out.end()) out.push_back(one);
    for (const Expectation& one : parameters.expectations)
        if (std::ranges::find(out, one.operation) == out.end()) out.push_back(one.operation);
    if (out.empty()) out.assign(std::begin(kOperations), std::end(kOperations));
    return out;
}

bool needs_rdma(const Parameters& parameters) {
    return std::ranges::any_of(operations_of(parameters), is_rdma_operation);
}

bool uses_rdma(const Parameters& parameters) {
    return std::ranges::any_of(operations_of(parameters), [](Operation one) {
        return is_rdma_operation(one) || one == Operation::rpc;
    });
}

bool wants_bandwidth(const Parameters& parameters, Operation operation) {
    return parameters.bandwidth ||
           std::ranges::any_of(parameters.expectations, [&](const Expectation& one) {
               return one.operation == operation && one.bandwidth;
           });
}

Parameters without_rdma(Parameters parameters) {
    std::erase_if(parameters.operations, is_rdma_operation);
    std::erase_if(parameters.expectations,
                  [](const Expectation& one) { return is_rdma_operation(one.operation); });
    return parameters;
}

bool uses_tcp(const Parameters& parameters) {
    return !std::ranges::all_of(operations_of(parameters), is_rdma_operation);
}

std::vector<Parameters> combinations_of(const Parameters& parameters) {
    std::vector<Parameters> out;
    for (const std::string& completion : parameters.completions)
        for (const std::uint64_t size : parameters.sizes)
            for (const unsigned depth : parameters.depths) {
                Parameters& one = out.emplace_back(parameters);
                one.completion = completion;
                one.size = size;
                one.depth = depth;
                one.first_depth = depth == parameters.depths.front();
            }
    return out;
}

}  // namespace core::probe
