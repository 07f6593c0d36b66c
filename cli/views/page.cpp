// SPDX-License-Identifier: Apache-2.0
#include "cli/views/page.hpp"

#include "cli/views/doctor_page_style.hpp"

namespace cli {

std::string text_of(const HtmlPage& page) {
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>" +
        page.title + "</title>\n<style>";
    out += kPageStyle;
    out += page.style;
    out += "</style>\n</head>\n<body>\n<main>\n" + page.main + "</main>\n" + page.data + "<script>";
    out += page.script;
    return out + "</script>\n</body>\n</html>\n";
}

}  // namespace cli
