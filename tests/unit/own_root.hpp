// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

/// A root directory of the test's own, gone at the end.
class OwnRoot {
public:
    OwnRoot() {
        std::string name = std::filesystem::temp_directory_path() / "rocectl-root-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    OwnRoot(const OwnRoot&) = delete;
    OwnRoot& operator=(const OwnRoot&) = delete;
    ~OwnRoot() { std::filesystem::remove_all(path_); }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Where a file is that the product calls `path`; the folders above it are made.
    [[nodiscard]] std::filesystem::path file(const std::string& path) const {
        std::filesystem::path file = path_ / path.substr(path.starts_with('/') ? 1 : 0);
        std::filesystem::create_directories(file.parent_path());
        return file;
    }

private:
    std::filesystem::path path_;
};
