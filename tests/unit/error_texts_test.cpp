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

TEST_CASE(
    "error texts: memory of GPUs, connections that are rejected, providers, GIDs and advice") {
    const std::vector<std::pair<std::string_view, std::string_view>> posted = {
        {"ibv_reg_mr_iova2 failed with error Bad address", "gpu-memory-not-pinned"},
        {"Couldn't allocate MR ERRNO: Bad address.", "gpu-memory-not-pinned"},
        {"Failed to register memory 0x2e1c00: Bad address [14]", "gpu-memory-not-pinned"},
        {"Couldn't allocate MR ERRNO: Cannot allocate memory", "mr-no-memory"},
        {"ibv_reg_dmabuf_mr failed with error Operation not supported", "gpu-dma-buf-missing"},
        {"DMA BUF supported required for GPU RDMA without nvidia-peermem", "gpu-dma-buf-missing"},
        {"GPU Direct RDMA Disabled for HCA 2 'mlx5_2'", "gpu-direct-off"},
        {"GPU Direct RDMA Disabled for GPU 3 / HCA 1 (distance 7 >= 5)", "gpu-direct-too-far"},
        {"nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -2)",
         "peer-memory-other-stack"},
        {"received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = 10)", "cm-stale"},
        {"received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = 28)", "cm-refused"},
        {"received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = 8)",
         "cm-nobody-listens"},
        {"received RDMA_CM_EVENT_REJECTED (8) from CM event channel", "cm-rejected"},
        {"libibverbs: Warning: Driver irdma does not support the kernel ABI of 5 (supports 4 to 4) "
         "for device /sys/class/infiniband/irdma0",
         "verbs-abi"},
        {"libibverbs: Warning: no userspace device-specific driver found for "
         "/sys/class/infiniband_verbs/uverbs0",
         "verbs-provider"},
        {"No suitable GID found on mlx5_bond_1/", "gid-not-found"},
        {"GID is NULL, please check your GID index by specifying MC_GID_INDEX", "gid-not-found"},
        {"read failed in ncclIbRoceGetVersionNum: Invalid argument", "gid-not-found"},
        {"Failed to modify QP to INIT: Invalid argument [22]", "qp-init-refused"},
        {"Failed to modify QP to RTR, check mtu, gid, peer lid, peer qp num: Invalid GID",
         "rtr-failed"},
        {"Got async event : local access violation work queue error", "async-local-access"},
        {"Got completion from peer 10.0.0.3<4711> with status=4 opcode=0 len=0 vendor err 81 "
         "(Recv)",
         "wc-local-protection"},
        {"bnxt_en 0000:21:00.0: QPLIB: cmdq[0x2b]=0x11 timedout (20000)msec", "firmware-silent"},
        {"mlx5_cmd_out_err:834:(pid 99): ACCESS_REG(0x805) op_mod(0x1) failed, status bad resource "
         "state(0x9), syndrome (0x3c1)",
         "register-not-offered"},
        {"mlnx_qos -i ens1 --dscp2prio 46:6", "advice-mlnx-qos-map"},
        {"sysctl -w net.ipv4.tcp_ecn=1", "advice-tcp-ecn"},
        {"echo 2 > /proc/sys/net/ipv4/conf/all/arp_ignore", "advice-arp-ignore"}};
    for (const auto& row : posted) {
        CAPTURE(row.first);
        CHECK(known(row.first) == row.second);
    }
    CHECK(known("mlnx_qos -i ens1 --dscp2prio set,26,3") == "");
}

TEST_CASE("error texts: of a line that none is in, what was recognised is told") {
    std::vector<std::string_view> findings;
    CHECK(recognised_in("UCX put to mlx5_bond_0:1 on rocep1s0f1 says errno 113", findings) ==
          std::vector<std::string>{"UCX (program)", "mlx5_bond_0 (RDMA device)",
                                   "rocep1s0f1 (RDMA device)",
                                   "errno 113 EHOSTUNREACH (no route to host)"});
    CHECK(findings == std::vector<std::string_view>{"neighbour-failed"});
    findings.clear();
    CHECK(recognised_in("No such device", findings) ==
          std::vector<std::string>{"errno 19 ENODEV (no such device)"});
    CHECK(recognised_in("eth19, port 113, mlx5 and 10.0.0.22", findings).empty());
    CHECK(recognised_in("", findings).empty());
    // Programs are those of the rows of texts, and their other names.
    CHECK(recognised_in("qperf: nothing; ib_send_bw neither", findings) ==
          std::vector<std::string>{"ib_send_bw (program)", "qperf (program)"});
    CHECK(recognised_in("a call of the kernel with status 1 or 2", findings).empty());
    // Each finding that is suggested is one of doctor's.
    findings.clear();
    for (unsigned number = 1; number < 134; ++number)
        static_cast<void>(recognised_in("errno " + std::to_string(number), findings));
    CHECK(findings.size() >= 6);
    for (const std::string_view id : findings)
        CHECK(find_finding(id) != nullptr);
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
