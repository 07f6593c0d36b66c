// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/profiles.hpp"

#include <fstream>
#include <sstream>

namespace profiles {

using namespace core;

std::string shipped(const std::string& name) {
    std::ifstream file(std::string(ROCECTL_SOURCE_DIR) + "/profiles/" + name + ".json");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Profile load(const Files& files) {
    const Loader loader = [&](const std::string& name, const std::string& /*from*/) -> Source {
        if (const auto found = files.find(name); found != files.end()) return {name, found->second};
        const std::string text = shipped(name);
        if (text.empty()) throw Error(Status::invalid_input, "no such file");
        return {name, text};
    };
    return load_profile({"main.json", files.at("main.json")}, loader);
}

Profile load(const std::string& text) {
    return load(Files{{"main.json", text}});
}

std::vector<std::string> problems(const Files& files) {
    try {
        load(files);
    } catch (const Error& error) {
        if (error.status() != Status::invalid_input) return {"wrong status"};
        return error.lines();
    }
    return {};
}

std::vector<std::string> problems(const std::string& text) {
    return problems(Files{{"main.json", text}});
}

std::string entry(const std::string& settings, const std::string& match) {
    return R"({"format": 1, "ports": [{"match": {)" + match + "}" + (settings.empty() ? "" : ", ") +
           settings + "}]}";
}

Port port(const std::string& name, const std::string& driver, const std::string& pci) {
    Port out(name);
    out.device = Device{.driver = driver, .firmware = "1.0"};
    out.link = Link{.mac = "02:00:00:00:00:01", .pci = pci, .mtu = 1500};
    return out;
}

State host(std::vector<Port> ports) {
    return {.host = {.name = "node1", .kernel = "6.1.0"}, .ports = std::move(ports)};
}

const Desired* find(const DesiredState& desired_values, const std::string& port,
                    const std::string& key, const std::string& element) {
    for (const Desired& desired : desired_values.desired_values)
        if (desired.port == port && desired.field->key == key && desired.element == element)
            return &desired;
    return nullptr;
}

std::string desired(const DesiredState& desired_values, const std::string& port,
                    const std::string& key, const std::string& element) {
    const Desired* desired = find(desired_values, port, key, element);
    if (desired == nullptr) return "not desired";
    return desired->value ? text(*desired->value) : "none";
}

}  // namespace profiles
