// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include "core/boot/boot_configuration.hpp"
#include "core/model/glob.hpp"
#include "core/model/ip.hpp"

namespace core::boot {
namespace {

constexpr std::string_view kMain = "/etc/network/interfaces";

/// A line of it, with the file that it is in.
struct LineOfFile {
    std::string file{};
    TextLine line{};
};

/// What `source` and `source-directory` bring in its place (interfaces(5)); all but what lies in
/// /etc/network is not read.
class InterfacesReader {
public:
    InterfacesReader(const BootFiles& files, BootConfiguration& out)
        : files_(in_force(source("interfaces"), files)), out_(out) {}

    std::vector<LineOfFile> all() {
        if (const File* main = file_at(std::string(kMain))) take(*main);
        return std::move(lines_);
    }

private:
    const File* file_at(const std::string& path) const {
        const auto found = std::ranges::find(files_, path, &File::path);
        return found == files_.end() ? nullptr : &*found;
    }

    void take(const File& file) {
        if (!taken_.insert(file.path).second) return;
        for (const TextLine& line : file.lines) {
            if (line.key == "source")
                bring(file, line, line.value);
            else if (line.key == "source-directory")
                bring(file, line, line.value + "/*");
            else
                lines_.push_back({file.path, line});
        }
    }

    void bring(const File& file, const TextLine& line, std::string pattern) {
        if (!pattern.starts_with('/')) pattern.insert(0, "/etc/network/");
        const std::string folder = pattern.substr(0, pattern.rfind('/'));
        if (folder != "/etc/network" && folder != "/etc/network/interfaces.d")
            out_.uncertainties.push_back(
                {BootProgram::ifupdown, file.path + ':' + std::to_string(line.number) + " names " +
                                            line.value + ", which is not read"});
        for (const File& other : files_)
            if (other.path.substr(0, other.path.rfind('/')) == folder &&
                glob_matches(pattern, other.path))
                take(other);
    }

    std::vector<File> files_;
    BootConfiguration& out_;
    std::vector<LineOfFile> lines_;
    std::set<std::string> taken_;
};

bool names(const std::string& value, const std::string& port) {
    const std::vector<std::string> all = words_in(value);
    return std::ranges::find(all, port) != all.end();
}

bool is_auto(const std::vector<LineOfFile>& lines, const std::string& port) {
    return std::ranges::any_of(lines, [&](const LineOfFile& one) {
        return (one.line.key == "auto" || one.line.key.starts_with("allow-")) &&
               names(one.line.value, port);
    });
}

bool begins_stanza(const std::string& key) {
    return key == "iface" || key == "auto" || key == "mapping" || key == "template" ||
           key == "rename" || key.starts_with("allow-") || key.starts_with("no-");
}

/// Several stanzas of a name add up.
class Stanzas {
public:
    Stanzas(std::string port, BootConfiguration& out) : port_(std::move(port)), out_(out) {}

    void take(const LineOfFile& one) {
        if (begins_stanza(one.line.key)) {
            begin(one);
            return;
        }
        if (!inside_) return;
        if (one.line.key == "netmask") {
            add_mask(one.line.value);
        } else if (one.line.key.ends_with("up")) {
            out_.uncertainties.push_back(
                {BootProgram::ifupdown, at(one) + " runs a command when the port comes up", true});
        } else {
            BootSetting setting = from(one);
            setting.key = one.line.key;
            setting.value = one.line.value;
            if (setting.key == "inherits") setting.unsure = at(one) + " inherits from another";
            out_.settings.push_back(std::move(setting));
        }
    }

private:
    static std::string at(const LineOfFile& one) {
        return one.file + ':' + std::to_string(one.line.number);
    }

    static BootSetting from(const LineOfFile& one) {
        return {.program = BootProgram::ifupdown,
                .value = "yes",
                .file = one.file,
                .line = one.line.number};
    }

    void begin(const LineOfFile& one) {
        const std::vector<std::string> words = words_in(one.line.value);
        inside_ = one.line.key == "iface" && !words.empty() && words.front() == port_;
        if (one.line.key == "mapping" && is_of_mapping(one.line.value))
            out_.uncertainties.push_back({BootProgram::ifupdown, at(one) + " maps the port"});
        if (!inside_) return;
        for (const char* key : {"", "up"}) {
            BootSetting setting = from(one);
            setting.key = key;
            out_.settings.push_back(std::move(setting));
        }
        if (words.size() > 2 && words[2] != "static" && words[2] != "manual" &&
            words[2] != "loopback")
            out_.uncertainties.push_back(
                {BootProgram::ifupdown, at(one) + ": addresses come by " + words[2]});
        if (words.size() > 3)
            out_.uncertainties.push_back(
                {BootProgram::ifupdown, at(one) + " inherits from another"});
    }

    bool is_of_mapping(const std::string& patterns) const {
        const std::vector<std::string> all = words_in(patterns);
        return std::ranges::any_of(all,
                                   [&](const std::string& p) { return glob_matches(p, port_); });
    }

    /// It stands behind the address of its stanza.
    void add_mask(const std::string& mask) {
        if (out_.settings.empty() || out_.settings.back().key != "address") return;
        std::string& address = out_.settings.back().value;
        if (address.find('/') != std::string::npos) return;
        const std::size_t length = length_of_mask(mask);
        address += '/' + (length == std::string::npos ? mask : std::to_string(length));
    }

    std::string port_;
    BootConfiguration& out_;
    bool inside_ = false;
};

}  // namespace

std::size_t length_of_mask(const std::string& mask) {
    const auto ip = parse_ip(mask);
    if (!ip) return std::string::npos;
    std::size_t bits = 0;
    for (const std::string& part : words_in(mask, ".")) {
        std::uint8_t byte = 0;
        std::from_chars(part.data(), part.data() + part.size(), byte);
        bits += static_cast<std::size_t>(std::popcount(byte));
    }
    return bits;
}

void add_interfaces(const Port& port, const BootFiles& files, BootConfiguration& out) {
    BootConfiguration found;
    const std::vector<LineOfFile> lines = InterfacesReader(files, found).all();
    if (is_auto(lines, port.name)) {
        Stanzas stanzas(port.name, found);
        for (const LineOfFile& one : lines)
            stanzas.take(one);
    }
    std::ranges::move(found.settings, std::back_inserter(out.settings));
    std::ranges::move(found.uncertainties, std::back_inserter(out.uncertainties));
}

}  // namespace core::boot
