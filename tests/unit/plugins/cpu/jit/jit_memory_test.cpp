// Generated code is never writable and executable at once, and can be looked at from outside.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo::cpu::jit::jit_memory_test {
namespace {

using test::EnvironmentVariable;

const ElementwiseProgram kTanh{
    Precision::f32,
    {ElementKind::number},
    {{ProgramStep::Kind::unary, static_cast<std::uint8_t>(ops::UnaryFunction::tanh), {0}}}};

TEST(JitMemory, NoPageIsWritableAndExecutable) {
    if (!cpu_features().avx2) GTEST_SKIP() << "needs AVX2";
    const auto kernel = make_elementwise(Isa::avx2, kTanh);
    const auto cell = make_cell(Isa::avx2, default_cell(CellKind::lstm, 4, 8));
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        EXPECT_EQ(line.find(" rwx"), std::string::npos) << line;
    }
}

template <int code>
struct Refused {
    Refused() { throw Xbyak::Error(code); }
};

TEST(JitMemory, ErrorsOfTheAssemblerBecomeOurs) {
    using rondo::test::expect_error;
    EXPECT_THROW(generate<Refused<Xbyak::ERR_CANT_ALLOC>>(), std::bad_alloc);
    expect_error<Error>([] { generate<Refused<Xbyak::ERR_CANT_PROTECT>>(); },
                        "the system forbids generated code");
    expect_error<InternalError>([] { generate<Refused<Xbyak::ERR_LABEL_IS_NOT_FOUND>>(); },
                                "a kernel can't be generated: label is not found");
}

TEST(JitMemory, DumpsCodeWhereAsked) {
    if (!cpu_features().avx2) GTEST_SKIP() << "needs AVX2";
    const rondo::test::TemporaryFolder folder;
    {
        const EnvironmentVariable dump("RONDO_JIT_DUMP", folder.path());
        make_elementwise(Isa::avx2, kTanh);
    }
    EXPECT_GT(std::filesystem::file_size(folder / "elementwise_1_avx2_f32.bin"), 100u);
    const EnvironmentVariable dump("RONDO_JIT_DUMP", folder / "missing");
    rondo::test::expect_error<ModelError>([] { make_elementwise(Isa::avx2, kTanh); },
                                          "RONDO_JIT_DUMP: cannot write");
}

TEST(JitMemory, NamesCodeForPerf) {
    if (!cpu_features().avx2) GTEST_SKIP() << "needs AVX2";
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    std::filesystem::remove(path);
    for (const char* other : {"0", "no"}) {
        const EnvironmentVariable perf("RONDO_JIT_PERF", other);
        make_cell(Isa::avx2, default_cell(CellKind::gru, 4, 24));
        EXPECT_FALSE(std::filesystem::exists(path)) << other;
    }
    {
        const EnvironmentVariable perf("RONDO_JIT_PERF", "1");
        make_cell(Isa::avx2, default_cell(CellKind::gru, 4, 24));
    }
    std::ifstream map(path);
    const std::string text((std::istreambuf_iterator<char>(map)), {});
    EXPECT_NE(text.find("gru_zr_avx2_f32_i4_h24"), std::string::npos);
    std::filesystem::remove(path);
}

TEST(JitMemory, NoCodeForThePlainInstructionSet) {
    rondo::test::expect_error<InternalError>([] { make_elementwise(Isa::plain, kTanh); },
                                             "no code is generated");
}

}  // namespace
}  // namespace rondo::cpu::jit::jit_memory_test
