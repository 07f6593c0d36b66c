// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include "core/doctor/error_texts.hpp"
#include "core/model/driver.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

/// An errno, as include/uapi/asm-generic/errno{-base,}.h number it and strerror(3) words it.
struct ErrorNumber {
    unsigned number = 0;
    std::string_view name{};     ///< in small letters, as lines are searched
    std::string_view words{};    ///< likewise
    std::string_view finding{};  ///< what most often leads to it; empty where none is likely
};

constexpr std::array kNumbers = {
    ErrorNumber{12, "enomem", "cannot allocate memory", "memlock-limit"},
    ErrorNumber{13, "eacces", "permission denied", "uverbs-permission"},
    ErrorNumber{14, "efault", "bad address", ""},
    ErrorNumber{16, "ebusy", "device or resource busy", ""},
    ErrorNumber{19, "enodev", "no such device", "rdma-device-missing"},
    ErrorNumber{22, "einval", "invalid argument", "no-gid"},
    ErrorNumber{61, "enodata", "no data available", "no-gid"},
    ErrorNumber{95, "eopnotsupp", "operation not supported", ""},
    ErrorNumber{101, "enetunreach", "network is unreachable", "no-route-by-port"},
    ErrorNumber{104, "econnreset", "connection reset by peer", ""},
    ErrorNumber{110, "etimedout", "connection timed out", "neighbour-failed"},
    ErrorNumber{111, "econnrefused", "connection refused", ""},
    ErrorNumber{113, "ehostunreach", "no route to host", "neighbour-failed"},
};

/// What programs of ErrorText::by call themselves in their lines, where that is another name.
constexpr std::array kOtherNames = {
    std::string_view("ib_write_bw"), std::string_view("ib_read_bw"),
    std::string_view("ib_send_bw"),  std::string_view("ib_write_lat"),
    std::string_view("nvme"),        std::string_view("ompi"),
};

/// The programs and libraries that known texts are printed by (ErrorText::by).
std::set<std::string_view> programs() {
    std::set<std::string_view> out(kOtherNames.begin(), kOtherNames.end());
    for (const ErrorText* const text : error_texts()) {
        std::string_view by = text->by;
        while (!by.empty()) {
            const std::size_t end = std::min(by.find_first_of(",:"), by.size());
            const std::string_view one = by.substr(0, end);
            if (!one.empty() && one.find(' ') == std::string_view::npos) out.insert(one);
            by.remove_prefix(std::min(end + 2, by.size()));
        }
    }
    return out;
}

/// Whether the word is a name of an RDMA device: the kernel's, which begins like its driver, or
/// udev's (rocep1s0f0).
bool is_rdma_device(std::string_view word) {
    if (word.empty() || !is_digit(word.back())) return false;
    if (word.starts_with("rocep") || word.starts_with("roceo") || word.starts_with("roces"))
        return true;
    const auto is_of = [&](std::string_view driver) {
        return !driver.empty() && word.size() > driver.size() && word.starts_with(driver) &&
               (word[driver.size()] == '_' || is_digit(word[driver.size()]));
    };
    return std::ranges::any_of(drivers(),
                               [&](const Driver* driver) {
                                   return is_of(driver->rdma_software.provider) ||
                                          is_of(driver->rdma_software.module);
                               }) ||
           std::ranges::any_of(rdma_link::kSoftDrivers, is_of, &rdma_link::SoftDriver::type);
}

void add_recognised(std::vector<std::string>& out, std::string part) {
    if (std::ranges::find(out, part) == out.end()) out.push_back(std::move(part));
}

}  // namespace

std::vector<std::string> recognised_in(std::string_view line,
                                       std::vector<std::string_view>& findings) {
    const std::string small = in_lower_case(line);
    std::vector<std::string> out;
    for (const std::string_view program : programs())
        if (has_pattern(small, in_lower_case(program)))
            add_recognised(out, std::string(program) + " (program)");
    const auto is_part = [](char c) { return is_letter_or_digit(c) || c == '_'; };
    for (auto from = small.begin(); from != small.end();) {
        from = std::find_if(from, small.end(), is_part);
        const auto to = std::find_if_not(from, small.end(), is_part);
        if (from == small.end()) break;
        const std::string_view word(&*from, static_cast<std::size_t>(to - from));
        if (is_rdma_device(word)) add_recognised(out, std::string(word) + " (RDMA device)");
        from = to;
    }
    for (const ErrorNumber& error : kNumbers) {
        const std::string number = std::to_string(error.number);
        const bool met = has_pattern(small, error.name) || has_pattern(small, error.words) ||
                         has_pattern(small, "errno " + number) ||
                         has_pattern(small, "error " + number) ||
                         has_pattern(small, "failed with " + number);
        if (!met) continue;
        std::string name(error.name);
        for (char& c : name)
            c = static_cast<char>(c - 'a' + 'A');
        std::string part = "errno " + number;
        part.append(" ").append(name).append(" (").append(error.words).append(")");
        add_recognised(out, std::move(part));
        if (!error.finding.empty() && std::ranges::find(findings, error.finding) == findings.end())
            findings.push_back(error.finding);
    }
    for (unsigned status = 1; status <= 22; ++status)
        if (has_pattern(small, "wc status " + std::to_string(status)) ||
            has_pattern(small, "completion*status " + std::to_string(status)))
            add_recognised(out, "status " + std::to_string(status) + " of a completion");
    return out;
}

}  // namespace core
