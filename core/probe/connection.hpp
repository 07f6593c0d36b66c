// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core::probe {

/// One step of connecting by rdma_cm, and how long it took.
struct CmStep {
    std::string name{};  ///< "resolve address"
    std::uint64_t nanoseconds = 0;
};

/// What came of connecting by rdma_cm (rdma_cm(7)).
struct CmReport {
    std::string device{};         ///< chosen by rdma_cm; empty where none was
    std::vector<CmStep> steps{};  ///< those that were done
    std::string failure{};        ///< the step that failed, and its event; empty where all worked
    std::string advice{};
};

/// The meaning of the failure by the catalogue of error texts; empty where it is unknown.
std::string meaning_of(std::string_view failure);

}  // namespace core::probe
