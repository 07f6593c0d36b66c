// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "netlink/system/codecs.hpp"
#include "tests/unit/own_root.hpp"

namespace library_conf_test {

using namespace core;

// The codec of the libraries' files, on files as they are found in the field.

namespace {

struct Etc {
    OwnRoot root;

    void put(const std::string& path, const std::string& text) const {
        std::ofstream(root.file(path)) << text;
    }
    [[nodiscard]] std::optional<std::string> get(const std::string& path) const {
        std::ifstream file(root.file(path));
        if (!file) return std::nullopt;
        return std::string(std::istreambuf_iterator<char>(file), {});
    }
    [[nodiscard]] Port read_nccl() const {
        netlink::Machine machine(root.path());
        Port host{std::string(kHost)};
        netlink::read_nccl(machine, {}, host);
        return host;
    }
    [[nodiscard]] Port read_ucx(const netlink::Names& names = {}) const {
        netlink::Machine machine(root.path());
        Port host{std::string(kHost)};
        netlink::read_ucx(machine, names, host);
        return host;
    }
};

using Variables = std::map<std::string, std::string, std::less<>>;

}  // namespace

TEST_CASE("nccl: no file is no variable, and a file is made with what is desired") {
    const Etc etc;
    etc.put("/etc/hostname", "node1\n");
    const Port now = etc.read_nccl();
    CHECK(now.nccl == Variables{});
    Port then = now;
    then.nccl = Variables{{"NCCL_IB_TC", "106"}};
    netlink::Machine machine(etc.root.path());
    netlink::write_nccl(machine, now, then);
    CHECK(etc.get("/etc/nccl.conf") == "NCCL_IB_TC=106\n");
    netlink::write_nccl(machine, then, now);
    CHECK(etc.get("/etc/nccl.conf") == std::nullopt);
}

TEST_CASE("nccl: the first line of a variable counts, and all of them change; the rest is kept") {
    const Etc etc;
    const std::string rest = "# ours\nNCCL_DEBUG=WARN\nnothing\n\n";
    etc.put("/etc/nccl.conf", rest + "NCCL_IB_TC=96\n#NCCL_IB_SL=5\nNCCL_IB_TC=104");
    Port now = etc.read_nccl();
    CHECK(now.nccl == Variables{{"NCCL_DEBUG", "WARN"}, {"NCCL_IB_TC", "96"}});
    Port then = now;
    then.nccl = Variables{{"NCCL_DEBUG", "WARN"}, {"NCCL_IB_SL", "3"}, {"NCCL_IB_TC", "106"}};
    netlink::Machine machine(etc.root.path());
    ::chmod(etc.root.file("/etc/nccl.conf").c_str(), 0640);
    netlink::write_nccl(machine, now, then);
    CHECK(etc.get("/etc/nccl.conf") == rest + "#NCCL_IB_SL=5\nNCCL_IB_SL=3\nNCCL_IB_TC=106\n");
    CHECK(etc.read_nccl().nccl == then.nccl);
    struct stat file {};
    CHECK(::stat(etc.root.file("/etc/nccl.conf").c_str(), &file) == 0);
    CHECK((file.st_mode & 07777U) == 0640);
    now.nccl->erase("NCCL_IB_TC");  // as undo has it
    netlink::write_nccl(machine, then, now);
    CHECK(etc.get("/etc/nccl.conf") == rest + "#NCCL_IB_SL=5\n");
}

TEST_CASE("ucx: the last line before the first section counts, without blanks and comments") {
    const Etc etc;
    const std::string sections = "[Fujitsu ARM]\nCPU vendor = Fujitsu ARM\nUCX_REG=x\n";
    etc.put("/etc/ucx/ucx.conf",
            "; all\n  UCX_TLS = rc,sm ; fast\nUCX_IB_SL=1\nUCX_IB_SL : 3\n" + sections);
    const Port now = etc.read_ucx();
    CHECK(now.ucx == Variables{{"UCX_IB_SL", "3"}, {"UCX_TLS", "rc,sm"}});
    Port then = now;
    then.ucx = Variables{{"UCX_IB_TRAFFIC_CLASS", "106"}, {"UCX_TLS", "rc,sm"}};
    netlink::Machine machine(etc.root.path());
    netlink::write_ucx(machine, now, then);
    CHECK(etc.get("/etc/ucx/ucx.conf") ==
          "; all\n  UCX_TLS = rc,sm ; fast\nUCX_IB_TRAFFIC_CLASS=106\n" + sections);
}

TEST_CASE("ucx: a variable that some hosts have otherwise is not known") {
    const Etc etc;
    etc.put("/etc/ucx/ucx.conf", "UCX_IB_SL=1\n[GB200]\nCPU model = Grace\nUCX_IB_SL=3\n");
    CHECK_THROWS_WITH(static_cast<void>(etc.read_ucx()),
                      doctest::Contains("/etc/ucx/ucx.conf sets UCX_IB_SL in a section too"));
}

TEST_CASE("ucx: a variable of a section alone is not known to who states it, before any write") {
    const Etc etc;
    etc.put("/etc/ucx/ucx.conf", "[GB200]\nCPU model = Grace\nUCX_IB_SL=3\n");
    CHECK(etc.read_ucx({"UCX_TLS"}).ucx == Variables{});
    CHECK_THROWS_WITH(static_cast<void>(etc.read_ucx({"UCX_IB_SL"})),
                      doctest::Contains("in a section too"));
}

TEST_CASE("ucx: an indented line is the value of the variable before it, and goes with it") {
    const Etc etc;
    etc.put("/etc/ucx/ucx.conf", "UCX_TLS=rc\n  ; why\n  sm,self\nUCX_IB_SL=3\n");
    const Port now = etc.read_ucx();
    CHECK(now.ucx == Variables{{"UCX_IB_SL", "3"}, {"UCX_TLS", "sm,self"}});
    Port then = now;
    then.ucx->at("UCX_TLS") = "rc";
    netlink::Machine machine(etc.root.path());
    netlink::write_ucx(machine, now, then);
    CHECK(etc.get("/etc/ucx/ucx.conf") == "  ; why\nUCX_IB_SL=3\nUCX_TLS=rc\n");
    CHECK(etc.read_ucx().ucx == then.ucx);
}

TEST_CASE("ucx: no folder for the file is said, and nothing is left") {
    const Etc etc;
    const Port now = etc.read_ucx();
    Port then = now;
    then.ucx = Variables{{"UCX_IB_SL", "3"}};
    netlink::Machine machine(etc.root.path());
    CHECK_THROWS_WITH(netlink::write_ucx(machine, now, then), doctest::Contains("/etc/ucx"));
}

}  // namespace library_conf_test
