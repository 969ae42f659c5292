// run() takes no memory, no lock, waits for nothing and makes no call of the system.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/faults/allocation_fault.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/models.hpp"
#include "tests/unit/bindings/ladspa/host.hpp"
#include "tests/unit/bindings/ladspa/models.hpp"
#include "tests/unit/plugins/cpu/plugin/run/lock_counter.hpp"

namespace rondo::test::real_time_test {
namespace {

constexpr long kNever = 1L << 62;

struct Case {
    std::string label;
    std::string variable;
    std::string value;
    unsigned long rate;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.label << " " << one.value; }

void add_real(const Case& one, const std::vector<std::string>& names, std::vector<Case>& cases) {
    std::string value;
    for (const std::string& name : names) {
        const auto path = real_model(name);
        if (!path) return;
        value += (value.empty() ? "" : ":") + *path;
    }
    cases.push_back({one.label, one.variable, value, one.rate});
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = {
        {"samples", "RONDO_LADSPA_SAMPLES", write_model(one_pole(), "pole") + ":rate=8000", 8000},
        {"samples", "RONDO_LADSPA_SAMPLES",
         write_model(frames_lstm(), "frames") + ":rate=8000:hop=32", 8000},
        {"spectrum", "RONDO_LADSPA_SPECTRUM",
         write_model(scaling({1, 2, 257}, 0.5F), "half") + ":rate=8000", 8000}};
    add_real({"dtln", "RONDO_LADSPA_DTLN", "", 16000}, {"dtln_pytorch_p1", "dtln_pytorch_p2"},
             cases);
    add_real({"deep_filter_net", "RONDO_LADSPA_DEEP_FILTER_NET", "", 48000},
             {"dfn3_enc", "dfn3_erb_dec", "dfn3_df_dec"}, cases);
    add_real({"gtcrn", "RONDO_LADSPA_GTCRN", "", 16000}, {"gtcrn_simple"}, cases);
    return cases;
}

// Sound, digital silence, and what makes a network begin again: none may cost memory.
std::vector<std::vector<float>> sounds() {
    return {noise(9600), std::vector<float>(9600), std::vector<float>(9600, 3e38F), noise(9600)};
}

class EachCase : public testing::TestWithParam<Case> {
protected:
    EnvironmentVariable variable_{GetParam().variable, GetParam().value};
};

TEST_P(EachCase, NoMemoryAndNoLock) {
    const auto hosted = make_hosted(GetParam().label, GetParam().rate);
    ASSERT_NE(hosted, nullptr);
    auto all = sounds();
    std::vector<float> out(480);
    const long locks_before = lock_count(), live_before = live_allocations();
    long tried = 0;
    {
        const AllocationFault counting(kNever, Failing::one);
        for (auto& samples : all) {
            for (std::size_t at = 0; at < samples.size(); at += out.size()) {
                hosted->run_block(&samples[at], out.data(), out.size());
            }
        }
        tried = counting.tried();
    }
    const long locks = lock_count() - locks_before, live = live_allocations() - live_before;
    EXPECT_EQ(tried, 0);
    EXPECT_EQ(live, 0);
    EXPECT_EQ(locks, 0);
}

// The system ends this process at any call except exit(), and reading the clock, which is none
// where the processor's counter is used.
bool forbid_system_calls() {
    const auto allow = [](std::uint32_t call) {
        return std::array<sock_filter, 2>{{BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
    };
    std::vector<sock_filter> filter = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const std::uint32_t call : {SYS_exit, SYS_exit_group, SYS_clock_gettime}) {
        for (const sock_filter& step : allow(call)) filter.push_back(step);
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_P(EachCase, NoCallOfTheSystem) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        const auto hosted = make_hosted(GetParam().label, GetParam().rate);
        auto all = sounds();
        std::vector<float> out(480);
        if (!forbid_system_calls()) ::_exit(77);
        for (auto& samples : all) {
            for (std::size_t at = 0; at < samples.size(); at += out.size()) {
                hosted->run_block(&samples[at], out.data(), out.size());
            }
        }
        ::_exit(0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no seccomp here";
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

INSTANTIATE_TEST_SUITE_P(Ladspa, EachCase, testing::ValuesIn(all_cases()));

// What counts must count in the plugin, too: making an instance takes memory and locks.
TEST(LadspaRealTime, TheCountersSeeThePlugin) {
    const auto one = all_cases().front();
    const EnvironmentVariable variable(one.variable, one.value);
    const long locks = lock_count();
    const AllocationFault counting(kNever, Failing::one);
    EXPECT_NE(make_hosted(one.label, one.rate), nullptr);
    EXPECT_GT(counting.tried(), 100);
    EXPECT_GT(lock_count(), locks);
}

}  // namespace
}  // namespace rondo::test::real_time_test
