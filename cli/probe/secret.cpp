// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/secret.hpp"

#include <sys/stat.h>

#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "core/error.hpp"

namespace cli {

std::string read_secret(const netlink::HostPath& file, bool only_trusted) {
    constexpr std::size_t kShortestSecret = 16;
    const netlink::Descriptor opened = only_trusted ? open_trusted(file) : open_to_read(file);
    struct stat status = {};
    if (::fstat(opened.number(), &status) != 0) throw failure(file);
    if ((status.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH)) != 0)
        throw core::Error(
            core::Status::invalid_input,
            file.string() + ": others can read or write it: chmod 600 " + file.string());
    std::string text = read_rest(opened.number(), file.string());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (text.size() < kShortestSecret)
        throw core::Error(core::Status::invalid_input,
                          file.string() + ": found " + std::to_string(text.size()) +
                              " bytes, a secret has 16 or more: openssl rand -hex 32 makes one");
    return text;
}

}  // namespace cli
