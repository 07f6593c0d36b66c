// SPDX-License-Identifier: Apache-2.0
// sax TIMES FILE: reads the document with the library's own reader, which makes nothing of it, so
// many times, and prints the milliseconds of the processor that one takes.
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace {

struct Nothing {
    bool null() { return true; }
    bool boolean(bool /*value*/) { return true; }
    bool number_integer(std::int64_t /*value*/) { return true; }
    bool number_unsigned(std::uint64_t /*value*/) { return true; }
    bool number_float(double /*value*/, const std::string& /*literal*/) { return true; }
    bool string(std::string& /*value*/) { return true; }
    bool binary(std::vector<std::uint8_t>& /*value*/) { return true; }
    bool start_object(std::size_t /*size*/) { return true; }
    bool key(std::string& /*name*/) { return true; }
    bool end_object() { return true; }
    bool start_array(std::size_t /*size*/) { return true; }
    bool end_array() { return true; }
    template <typename Exception>
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const Exception& /*reason*/) {
        return false;
    }
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) return 64;
    std::ifstream file(words[2]);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const int times = std::atoi(words[1]);
    const std::clock_t start = std::clock();
    for (int i = 0; i < times; ++i) {
        Nothing nothing;
        if (!nlohmann::json::sax_parse(text, &nothing)) return 1;
    }
    std::cout << 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times
              << '\n';
}
