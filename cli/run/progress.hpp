// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// A progress line on the terminal's standard error, overwritten by the next one and cleared at the
/// end.
class Progress {
public:
    explicit Progress(bool shown) : shown_(shown) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    void say(const std::string& text);
    void clear();

private:
    bool shown_;
    bool said_ = false;
};

}  // namespace cli
