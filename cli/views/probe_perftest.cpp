// SPDX-License-Identifier: Apache-2.0
#include "cli/views/probe.hpp"

#include "cli/views/formatted.hpp"

namespace cli {

using core::probe::PathReport;
using core::probe::Trial;

std::string probe_perftest(const PathReport& report) {
    std::string out;
    for (const Trial& trial : report.trials) {
        if (trial.latency) {
            const core::probe::PerftestLatency& of = trial.latency->perftest;
            out +=
                " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    "
                "t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% "
                "percentile[usec] \n";
            out += formatted(
                " %-7lu %lu          %-7.2f        %-7.2f      %-7.2f         %-7.2f     "
                "   %-7.2f         %-7.2f              %-7.2f\n",
                trial.size, of.iterations, of.min, of.max, of.typical, of.average, of.deviation,
                of.percentile99, of.percentile999);
        }
        if (trial.bandwidth) {
            out +=
                " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   "
                "MsgRate[Mpps]\n";
            out += formatted(
                " %-7lu    %-10lu       %-7.2lf            %-7.2lf                %-7.6lf\n",
                trial.size, trial.bandwidth->messages + (trial.back ? trial.back->messages : 0),
                0.0, trial.bandwidth->mebibytes() + (trial.back ? trial.back->mebibytes() : 0),
                trial.bandwidth->million_messages() +
                    (trial.back ? trial.back->million_messages() : 0));
        }
    }
    return out;
}

}  // namespace cli
