// SPDX-License-Identifier: Apache-2.0
// The options of `probe mesh` that no other probe has.
#include "cli/options_mesh.hpp"

#include <array>
#include <charconv>

#include "core/probe/hosts.hpp"

namespace cli {
namespace {

constexpr std::array<std::string_view, 1> kListers = {"slurm"};

void take_concurrency(Options& options, const std::string& value) {
    const char* end = value.data() + value.size();
    std::size_t number = 0;
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || rest != end || number < 1 || number > core::probe::kMostHosts / 2)
        refuse_value("--concurrency", value,
                     "a number from 1 to " + std::to_string(core::probe::kMostHosts / 2));
    options.meshing.concurrency = number;
}

}  // namespace

namespace option {

const OptionRow mesh{
    .name = "--mesh",
    .help = "Take part in a mesh: probe other servers too, where a client with the secret says so",
    .take = [](Options& o, const std::string&) { o.meshing.serves = true; }};
const OptionRow hosts_from{.name = "--hosts-from",
                           .value = "WHERE",
                           .help = "The hosts are those of the Slurm job: slurm",
                           .take =
                               [](Options& o, const std::string& v) {
                                   if (v != kListers.front())
                                       refuse_value("--hosts-from", v, "slurm");
                                   o.meshing.from_slurm = true;
                               },
                           .words = kListers};
const OptionRow concurrency{.name = "--concurrency",
                            .value = "NUMBER",
                            .help = "Pairs of hosts at one time, of which each host is in one (16)",
                            .take = take_concurrency};
const OptionRow dry_run{
    .name = "--dry-run",
    .help = "Say how many rounds it takes, how long and with what load, and connect to nobody",
    .take = [](Options& o, const std::string&) { o.meshing.dry = true; }};

}  // namespace option

}  // namespace cli
