#include "plugins/cpu/kernels/machine/cpu_features.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "rondo/error.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::cpu_features_test {
namespace {

using rondo::test::EnvironmentVariable;
using rondo::test::expect_error;

CpuFeatures features_of(Isa isa) {
    CpuFeatures features;
    features.avx2 = isa >= Isa::avx2;
    features.avx512 = isa == Isa::avx512;
    return features;
}

TEST(CpuVendor, IsTheOneThatLinuxNames) {
    if (test::is_emulated()) GTEST_SKIP() << "/proc/cpuinfo is the host's";
    std::ifstream file("/proc/cpuinfo");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find("vendor_id") == std::string::npos) GTEST_SKIP() << "/proc/cpuinfo names none";
    const CpuVendor vendor = detect_cpu_features().vendor;
    EXPECT_EQ(vendor == CpuVendor::intel, text.find(": GenuineIntel") != std::string::npos);
    EXPECT_EQ(vendor == CpuVendor::amd, text.find(": AuthenticAMD") != std::string::npos ||
                                            text.find(": HygonGenuine") != std::string::npos);
    EXPECT_STREQ(name_of(CpuVendor::other), "other");
}

TEST(ChooseIsa, BestWhereNothingIsAsked) {
    for (Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        EXPECT_EQ(choose_isa(features_of(isa), std::nullopt), isa);
    }
}

TEST(ChooseIsa, CapsToWhatIsAsked) {
    EXPECT_EQ(choose_isa(features_of(Isa::avx512), "plain"), Isa::plain);
    EXPECT_EQ(choose_isa(features_of(Isa::avx512), "avx2"), Isa::avx2);
    EXPECT_EQ(choose_isa(features_of(Isa::avx512), "AVX512"), Isa::avx512);
    EXPECT_EQ(choose_isa(features_of(Isa::avx2), "avx2"), Isa::avx2);
}

TEST(ChooseIsa, RefusesWhatTheCpuLacks) {
    expect_error<ModelError>([] { choose_isa(features_of(Isa::avx2), "avx512"); },
                             "RONDO_ISA is 'avx512', which this CPU lacks");
    expect_error<ModelError>([] { choose_isa(features_of(Isa::plain), "avx2"); },
                             "possible here: 'plain'");
}

TEST(ChooseIsa, RefusesUnknownNames) {
    expect_error<ModelError>([] { choose_isa(features_of(Isa::avx512), "sse9"); },
                             "RONDO_ISA is 'sse9', which is not an instruction set; possible here: "
                             "'plain', 'avx2', 'avx512'");
}

TEST(BestIsa, ReadsTheVariableAtEveryCall) {
    const EnvironmentVariable unset("RONDO_ISA", "");
    {
        const EnvironmentVariable plain("RONDO_ISA", "plain");
        EXPECT_EQ(best_isa(), Isa::plain);
    }
    EXPECT_EQ(best_isa(), cpu_features().best());
}

TEST(CpuFeatures, CachesHaveSizes) {
    const CpuFeatures& features = cpu_features();
    EXPECT_GE(features.l1_bytes, 8 * 1024);
    EXPECT_GE(features.l2_bytes, features.l1_bytes);
    EXPECT_TRUE(features.avx2 || !features.avx512);
}

TEST(CpuFeatures, LanesAreThoseOfTheRegisters) {
    EXPECT_EQ(lanes_of(Isa::avx512), 16);
    EXPECT_EQ(lanes_of(Isa::avx2), 8);
}

}  // namespace
}  // namespace rondo::cpu::cpu_features_test
