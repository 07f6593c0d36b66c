// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/counter_series.hpp"

#include <algorithm>
#include <set>

#include "core/drivers/counters.hpp"

namespace core {
namespace {

/// What the counters of the table count, each once.
const std::vector<Meter>& meters() {
    static const std::vector<Meter> all = [] {
        std::vector<Meter> out;
        for (const CounterRow& row : counter_rows())
            if (std::ranges::find(out, row.meter) == out.end()) out.push_back(row.meter);
        return out;
    }();
    return all;
}

const std::set<Object>& counting_objects() {
    static const std::set<Object> all = [] {
        std::set<Object> out;
        for (const CounterRow& row : counter_rows())
            out.insert(row.object);
        return out;
    }();
    return all;
}

/// DCB counts of each priority under one name.
std::string name_of(const Count& count, unsigned priority) {
    return count.row->name.empty() ? count.name + ' ' + std::to_string(priority) : count.name;
}

}  // namespace

void CounterSeriesList::add_port(const Port& now, const Port* before, unsigned priority,
                                 double seconds) {
    std::vector<CounterSeries>& counter_series = series_[now.name];
    for (const Meter meter : meters()) {
        const auto counted = count(now, meter, priority);
        if (!counted) continue;
        const std::string name = name_of(*counted, priority);
        auto series = std::ranges::find(counter_series, name, &CounterSeries::name);
        if (series == counter_series.end())
            series = counter_series.insert(counter_series.end(), {.port = now.name, .name = name});
        const auto then = before == nullptr ? std::nullopt : value_of(*before, *counted, priority);
        if (then) {
            const Grown more = grown_since(*before, *then, now, *counted);
            series->grown += more.by;
            series->anew = series->anew || more.anew;
        }
        if (points_) series->points.push_back({.seconds = seconds, .grown = series->grown});
    }
}

void CounterSeriesList::add(const State& now, const std::map<std::string, EffectiveIntent>& intents,
                            double seconds) {
    for (const auto& [name, roce] : intents) {
        const Port* port = find_port(now, name);
        if (port == nullptr) continue;
        const auto before = before_.find(name);
        add_port(*port, before == before_.end() ? nullptr : &before->second, roce.priority,
                 seconds);
        // What is not there for a while is compared with what it was before.
        Port& kept = before_.try_emplace(name, Port(name)).first->second;
        Port read(name);
        for (const Object object : counting_objects()) {
            copy_part(object, *port, read);
            if (read != Port(name)) copy_part(object, *port, kept);
            read = Port(name);
        }
    }
}

std::vector<CounterSeries> CounterSeriesList::grown() const {
    std::vector<CounterSeries> out;
    for (const auto& [port, counter_series] : series_)
        std::ranges::copy_if(counter_series, std::back_inserter(out),
                             [](const CounterSeries& series) { return series.grown > 0; });
    return out;
}

}  // namespace core
