#include "plugins/cpu/plugin/threads/cpu_quota.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "rondo/core.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::cpu_quota_test {
namespace {

// A root folder with cgroups in it.
class CpuQuota : public ::testing::Test {
protected:
    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path file(folder_.path() + path);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text << "\n";
    }
    void write_version_1(const std::string& path, const std::string& quota) const {
        write("/sys/fs/cgroup/" + path + "/cpu.cfs_quota_us", quota);
        write("/sys/fs/cgroup/" + path + "/cpu.cfs_period_us", "100000");
    }
    std::optional<int> quota() const { return cpu::cpu_quota(folder_.path()); }

    TemporaryFolder folder_;
};

TEST_F(CpuQuota, NoFilesAreNoLimit) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(CpuQuota, Version2IsRoundedUp) {
    write("/proc/self/cgroup", "0::/");
    for (const auto& [text, cores] : {std::pair("200000 100000", 2), std::pair("150000 100000", 2),
                                      std::pair("1000 100000", 1), std::pair("50000 10000", 5)}) {
        write("/sys/fs/cgroup/cpu.max", text);
        EXPECT_EQ(quota(), cores) << text;
    }
}

TEST_F(CpuQuota, OtherTextsAreNoLimit) {
    write("/proc/self/cgroup", "0::/");
    for (const char* text : {"max 100000", "", "100000", "0 100000", "-1 100000", "100000 0", "a b",
                             "9223372036854775807 1", "99999999999999999999 100000"}) {
        write("/sys/fs/cgroup/cpu.max", text);
        EXPECT_EQ(quota(), std::nullopt) << text;
    }
}

TEST_F(CpuQuota, TheSmallestLimitAboveCounts) {
    write("/proc/self/cgroup", "0::/pod/container");
    write("/sys/fs/cgroup/pod/container/cpu.max", "800000 100000");
    EXPECT_EQ(quota(), 8);
    write("/sys/fs/cgroup/pod/cpu.max", "300000 100000");
    EXPECT_EQ(quota(), 3);
    write("/sys/fs/cgroup/pod/container/cpu.max", "100000 100000");
    EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuota, Version1) {
    write("/proc/self/cgroup", "4:memory:/x\n2:cpu,cpuacct:/x\n1:name=systemd:/x\n0::/x");
    write_version_1("cpu,cpuacct/x", "250000");
    EXPECT_EQ(quota(), 3);
    write_version_1("cpu,cpuacct/x", "-1");
    EXPECT_EQ(quota(), std::nullopt);
    write_version_1("memory/x", "100000");  // another controller's
    EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, APathOfTheHostIsThatOfTheMount) {
    write("/proc/self/cgroup", "2:cpu:/docker/1234");
    write_version_1("cpu", "400000");
    EXPECT_EQ(quota(), 4);
    write("/proc/self/cgroup", "0::/../../other");
    write("/sys/fs/cgroup/cpu.max", "200000 100000");
    EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, IsTheDefaultNumberOfThreads) {
    const int threads = cpu::usual_threads();
    EXPECT_GE(threads, 1);
    EXPECT_LE(threads, cpu::available_cores());
    const auto compiled = Core().compile_model(kFixture + ".xml");
    EXPECT_EQ(compiled.get_property(property::kInferenceNumThreads), std::to_string(threads));
    const auto more =
        Core().compile_model(kFixture + ".xml", "CPU", {{property::kInferenceNumThreads, "7"}});
    EXPECT_EQ(more.get_property(property::kInferenceNumThreads), "7");
}

TEST_F(CpuQuota, OmpNumThreadsIsALimitToo) {
    const EnvironmentVariable unset("OMP_NUM_THREADS", "");
    const int threads = cpu::usual_threads();
    for (const auto& [text, expected] :
         {std::pair("1", 1), std::pair("1,2", 1), std::pair("1000", threads),
          std::pair("0", threads), std::pair("-1", threads), std::pair("many", threads),
          std::pair("99999999999999999999", threads)}) {
        const EnvironmentVariable variable("OMP_NUM_THREADS", text);
        EXPECT_EQ(cpu::usual_threads(), expected) << text;
    }
    const EnvironmentVariable one("OMP_NUM_THREADS", "1");
    const auto compiled = Core().compile_model(kFixture + ".xml");
    EXPECT_EQ(compiled.get_property(property::kInferenceNumThreads), "1");
    const auto more =
        Core().compile_model(kFixture + ".xml", "CPU", {{property::kInferenceNumThreads, "2"}});
    EXPECT_EQ(more.get_property(property::kInferenceNumThreads), "2") << "a property comes first";
}

TEST_F(CpuQuota, AProgramSetsTheDefaultForAllItsModels) {
    const auto threads_of = [](const Properties& properties) {
        return Core()
            .compile_model(kFixture + ".xml", "CPU", properties)
            .get_property(property::kInferenceNumThreads);
    };
    EXPECT_EQ(default_threads(), 0U);
    set_default_threads(3);
    EXPECT_EQ(default_threads(), 3U);
    EXPECT_EQ(threads_of({}), "3");
    EXPECT_EQ(threads_of({{property::kInferenceNumThreads, "2"}}), "2");
    expect_error<ModelError>([] { set_default_threads(1025); }, "got 1025 threads");
    EXPECT_EQ(threads_of({}), "3");
    set_default_threads(0);
    EXPECT_EQ(threads_of({}), std::to_string(cpu::usual_threads()));
}

}  // namespace
}  // namespace rondo::test::cpu_quota_test
