// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// One line on a terminal's standard error that says what a run is at, written over by the next
/// one and gone at the end.
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
