// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// What a page consists of, as markup; its style is that of all pages (kPageStyle) and its own.
struct HtmlPage {
    std::string title{};
    std::string_view style{};
    std::string main{};  ///< what is shown
    std::string data{};  ///< an element for the script, where it has one
    std::string_view script{};
};

/// A page for a browser, whole by itself, that may load nothing and send nothing
/// (Content-Security-Policy).
std::string text_of(const HtmlPage& page);

}  // namespace cli
