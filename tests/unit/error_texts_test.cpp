// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"

namespace error_texts_test {

using namespace core;

namespace {

/// The id of what is known of the line; empty where nothing is.
std::string known(std::string_view line, bool in_log = false) {
    const ErrorText* text = find_error_text(line, in_log);
    return text == nullptr ? "" : std::string(text->name);
}

struct Answer {
    Status status = Status::done;
    Json document{};
};

Answer explained(const std::string& operand, const std::string& input = "") {
    std::ostringstream out;
    std::istringstream in(input);
    cli::Options options;
    options.operands = {operand};
    options.output = cli::Output::json;
    cli::Session session{.command = "explain",
                         .options = options,
                         .style = {},
                         .out = out,
                         .live = nullptr,
                         .ask = nullptr,
                         .missing_privilege = nullptr,
                         .in = &in};
    Answer answer{.status = cli::explain(session)};
    answer.document = Json::parse(out.str());
    return answer;
}

}  // namespace

TEST_CASE("law: each error text is found in its own sample, and no row before it is") {
    for (const ErrorText* text : error_texts()) {
        INFO(text->name);
        CHECK(known(text->sample) == text->name);
        CHECK(known("Nov 22 19:00:01 host7 unit[4711]: " + std::string(text->sample) + " [x]") ==
              text->name);
        CHECK(known(text->sample, true) == (text->common ? "" : text->name));
    }
}

TEST_CASE("law: whichever module of RDMA is not on the disk, it is known what that means") {
    std::set<std::string_view> modules;
    for (const Driver* driver : drivers())
        modules.insert(driver->rdma_software.module);
    for (const rdma_link::SoftDriver& driver : rdma_link::kSoftDrivers)
        modules.insert(driver.module);
    modules.erase("");
    for (const std::string_view module : modules)
        CHECK(known("modprobe: FATAL: Module " + std::string(module) +
                    " not found in directory /lib/modules/6.1.0-18-amd64") == "module-missing");
}

TEST_CASE("law: what an error text names is there") {
    std::set<std::string_view> ids;
    std::set<std::string_view> checks;
    for (const FindingRow* row : doctor_rows())
        checks.insert(row->id);
    for (const ErrorText* text : error_texts()) {
        INFO(text->name);
        CHECK(ids.insert(text->name).second);
        CHECK(find_finding(text->name) == nullptr);
        for (const std::string_view said : {text->by, text->meaning, text->sample})
            CHECK_FALSE(said.empty());
        CHECK(text->meaning.ends_with('.'));
        CHECK_FALSE(candidates_of(*text).empty());
        for (const ErrorCandidate& candidate : candidates_of(*text)) {
            INFO(candidate.finding);
            CHECK((candidate.finding.empty() ? !candidate.words.empty()
                                             : checks.contains(candidate.finding)));
        }
        for (const std::string_view pattern : patterns_of(*text)) {
            INFO(pattern);
            CHECK(std::ranges::none_of(pattern, [](char c) { return c >= 'A' && c <= 'Z'; }));
            REQUIRE_FALSE(pattern.empty());
            CHECK((pattern.front() != '*' && pattern.back() != '*'));
        }
    }
    CHECK(ids.size() >= 60);
}

TEST_CASE("error texts: they are found with other numbers, in other words, and nowhere else") {
    CHECK(known("ibv_modify_qp failed with 110") == "rtr-timed-out");
    CHECK(known("ibv_modify_qp: 110") == "rtr-timed-out");
    CHECK(known("ibv_modify_qp() failed: 110") == "rtr-timed-out");
    CHECK(known("Call to ibv_modify_qp failed with error Connection timed out") == "rtr-timed-out");
    CHECK(known("ibv_modify_qp failed with 22 Invalid argument, remote GID ::ffff:10.0.110.19") ==
          "rtr-invalid");
    CHECK(known("RDMA_CM_EVENT_ADDR_ERROR from 10.0.0.19 on mlx5_19, error -110") ==
          "cm-addr-error");
    CHECK(known("RDMA_CM_EVENT_UNREACHABLE") == "cm-unreachable");
    CHECK(known("RDMA_CM_EVENT_REJECTED, error 28") == "cm-refused");
    CHECK(known("RDMA_CM_EVENT_REJECTED, error 8") == "cm-nobody-listens");
    CHECK(known("nvme nvme3: rdma connection establishment failed (-104)") == "cm-nobody-listens");
    CHECK(known("Got completion from peer 10.0.0.1<1> with status=IBV_WC_RETRY_EXC_ERR(12) "
                "vendor_err=129") == "wc-retries-exceeded");
    CHECK(known("wc status 12 vendor_err 0x81") == "wc-retries-exceeded");
    CHECK(known("wc status 120") == "");
    CHECK(known("Transport retry count exceeded on mlx5_7:1/RoCE (synd 0x15 vend 0x81)") ==
          "wc-retries-exceeded");
    CHECK(known("allow TCP 4791") == "advice-tcp-4791");
    CHECK(known("nft add rule inet filter input tcp dport 4791 accept") == "advice-tcp-4791");
    CHECK(known("nft add rule inet filter input udp dport 4791 accept") == "");
    CHECK(known("dcbtool sc eth7 pfc e:1 a:1 w:5") == "advice-dcbtool-willing");
    CHECK(known("rdma link add roce9 rdma_link netdev eth9") == "advice-rdma-link-add");
    CHECK(known("rdma link add rxe0 type rxe netdev eth9") == "");
    CHECK(known("the quick brown fox") == "");
    CHECK(known("") == "");
}

TEST_CASE("explain -: each text is reported once with how often it was seen, whatever else comes") {
    std::string log(1 << 20, 'x');
    log += "RDMA_CM_EVENT_UNREACHABLE\nnothing\n";
    for (int i = 0; i < 1000; ++i)
        log += "node-" + std::to_string(i) + ": RDMA_CM_EVENT_UNREACHABLE, error -110\n";
    log += "Cannot allocate memory\n" + std::string(100, '\0') + "\xff\nwc status 12";
    const Answer answer = explained("-", log);
    CHECK(answer.status == Status::done);
    CHECK(answer.document["lines"] == 1005);
    const Json& texts = answer.document["texts"];
    REQUIRE(texts.size() == 2);
    CHECK(texts[0]["id"] == "cm-unreachable");
    CHECK(texts[0]["times"] == 1000);
    CHECK(texts[0]["line"] == "node-0: RDMA_CM_EVENT_UNREACHABLE, error -110");
    CHECK(texts[1]["id"] == "wc-retries-exceeded");
}

TEST_CASE("explain: a text that is neither a setting nor known ends with near names") {
    CHECK_THROWS_WITH_AS(explained("pfc-of"), doctest::Contains("near: pfc-off"), Error);
    CHECK(explained("pfc-off").document["id"] == "pfc-off");
    CHECK(explained("mtu").document["key"] == "mtu");
    CHECK(explained("ibv_modify_qp failed with 110")
              .document["texts"][0]["candidates"][0]["finding"] == "no-route-by-port");
}

}  // namespace error_texts_test
