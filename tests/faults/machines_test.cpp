// Processes that the system restricts: memory, generated code, cores, locale, /proc, file systems.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>

#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::machines_test {
namespace {

// Tried in a child, so that a test can be skipped before its own children need it.
template <typename Restrict>
bool is_possible(Restrict restrict_process) {
    return succeeds_in_a_child([&] { return restrict_process(); });
}

std::vector<Tensor> run(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    return infer_once(request, inputs_of(compiled.inputs(), 3), compiled.outputs().size());
}

std::vector<Tensor> run_asynchronously(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    const auto inputs = inputs_of(compiled.inputs(), 3);
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.start_async();
    request.wait();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        outputs.push_back(request.get_output_tensor(i));
    }
    return outputs;
}

std::string isa_of(const CompiledModel& compiled) {
    std::string text;
    for (const KernelInfo& row : compiled.kernels()) text += row.kernel + " ";
    return text;
}

// Bytes of the address space that the process has now.
std::size_t address_space() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Until there is enough, each step ends in the error that the documents name.
TEST(Machines, LittleAddressSpace) {
    if (kIsThreadSanitized) GTEST_SKIP() << "the thread sanitizer needs address space itself";
    constexpr std::size_t kStep = std::size_t{1} << 18;
    constexpr std::size_t kSteps = 400;
    constexpr std::size_t kEnough = 4;  // completed runs
    for (const FaultModel& model : kFaultModels) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            rlimit before{};
            ::getrlimit(RLIMIT_AS, &before);
            std::size_t completed = 0;
            for (std::size_t i = 0; i < kSteps && completed < kEnough; ++i) {
                const rlimit limit{address_space() + i * kStep, before.rlim_max};
                ::setrlimit(RLIMIT_AS, &limit);
                try {
                    run(Core().compile_model(path_of(model)));
                    ++completed;
                } catch (const OutOfMemoryError&) {
                } catch (const std::bad_alloc&) {
                } catch (const ModelError& error) {
                    // A file that can't be mapped.
                    const std::string text = error.what();
                    EXPECT_NE(text.find("Cannot allocate memory"), std::string::npos) << text;
                }
                ::setrlimit(RLIMIT_AS, &before);
            }
            run(Core().compile_model(path_of(model)));
            EXPECT_EQ(completed, kEnough);
            return true;
        })) << model.name;
    }
}

bool has_avx2() {
    return succeeds_in_a_child([] {
        ::setenv("RONDO_ISA", "avx2", 1);
        try {
            Core().compile_model(path_of(kFaultModels[0]));
        } catch (const ModelError&) {
            return false;
        }
        return true;
    });
}

// From now on this process can't make memory executable that is also accessible in the ways of
// `beside`.
bool forbid_executable_memory(unsigned beside) {
    constexpr auto kProt = static_cast<unsigned>(offsetof(seccomp_data, args[2]));
    const unsigned forbidden = PROT_EXEC | beside;
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kProt),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, forbidden),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool forbid_generated_code() { return forbid_executable_memory(0); }
bool forbid_writable_code() { return forbid_executable_memory(PROT_WRITE); }

// The warnings of this process from now on.
std::string& collected_warnings() {
    static std::string text;
    set_log_level(LogLevel::warning);
    set_log_callback([](LogLevel, const std::string& message) { text += message + "\n"; });
    return text;
}

TEST(Machines, GeneratedCodeIsForbidden) {
    if (!is_possible(forbid_generated_code)) {
        GTEST_SKIP() << "the system doesn't allow seccomp filters";
    }
    if (!has_avx2()) GTEST_SKIP() << "kernels are plain here in any case";
    for (const FaultModel& model : kFaultModels) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            ::setenv("RONDO_ISA", "plain", 1);
            const auto expected = run(Core().compile_model(path_of(model)));
            ::unsetenv("RONDO_ISA");
            CompiledModel before = Core().compile_model(path_of(model));
            if (!forbid_generated_code()) return false;
            const std::string& warnings = collected_warnings();
            run(before);  // what was generated goes on
            EXPECT_EQ(warnings, "");
            CompiledModel compiled = Core().compile_model(path_of(model));
            EXPECT_EQ(warnings,
                      "cpu: the system forbids generated code (seccomp, SELinux): kernels are "
                      "plain ones, which are slower\n");
            const std::string device = Core().get_versions("CPU").at("CPU").description;
            EXPECT_EQ(device, "CPU, kernels up to plain (the system forbids generated code)");
            EXPECT_EQ(isa_of(compiled).find("avx"), std::string::npos) << isa_of(compiled);
            expect_same(run(compiled), expected);
            return true;
        })) << model.name;
    }
}

TEST(Machines, AnInstructionSetThatNeedsGeneratedCodeIsRefused) {
    if (!is_possible(forbid_generated_code)) {
        GTEST_SKIP() << "the system doesn't allow seccomp filters";
    }
    if (!has_avx2()) GTEST_SKIP() << "this CPU lacks AVX2";
    EXPECT_TRUE(succeeds_in_a_child([&] {
        ::setenv("RONDO_ISA", "avx2", 1);
        const std::string path = path_of(kFaultModels[0]);
        Core().compile_model(path);
        if (!forbid_generated_code()) return false;
        expect_error<UnsupportedError>([&] { Core().compile_model(path); },
                                       "the system forbids generated code; possible here: 'plain'");
        return true;
    }));
}

TEST(Machines, OneCore) {
    for (const FaultModel& model : kFaultModels) {
        const auto expected = run(Core().compile_model(path_of(model)));
        EXPECT_TRUE(succeeds_in_a_child([&] {
            cpu_set_t allowed;
            CPU_ZERO(&allowed);
            ::sched_getaffinity(0, sizeof(allowed), &allowed);
            std::size_t core = 0;
            while (!CPU_ISSET(core, &allowed)) ++core;
            CPU_ZERO(&allowed);
            CPU_SET(core, &allowed);
            if (::sched_setaffinity(0, sizeof(allowed), &allowed) != 0) return false;
            CompiledModel compiled = Core().compile_model(path_of(model));
            EXPECT_EQ(compiled.get_property(property::kInferenceNumThreads), "1");
            expect_same(run(compiled), expected);
            expect_same(run_asynchronously(compiled), expected);
            CompiledModel wide = Core().compile_model(
                path_of(model), "CPU",
                {{property::kInferenceNumThreads, "4"}, {property::kNumStreams, "2"}});
            expect_same(run(wide), expected);
            expect_same(run_asynchronously(wide), expected);
            return true;
        })) << model.name;
    }
}

// Not even while code is generated is a page of it writable and executable.
TEST(Machines, WritableCodeIsForbidden) {
    const auto forbid_and_try = [] {
        if (!forbid_writable_code()) return false;
        constexpr int kAll = PROT_READ | PROT_WRITE | PROT_EXEC;
        return ::mmap(nullptr, 1, kAll, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    };
    if (!is_possible(forbid_and_try)) GTEST_SKIP() << "the system doesn't allow seccomp filters";
    if (!has_avx2()) GTEST_SKIP() << "kernels are plain here in any case";
    for (const FaultModel& model : kFaultModels) {
        const auto expected = run(Core().compile_model(path_of(model)));
        EXPECT_TRUE(succeeds_in_a_child([&] {
            if (!forbid_writable_code()) return false;
            const std::string& warnings = collected_warnings();
            CompiledModel compiled = Core().compile_model(path_of(model));
            expect_same(run(compiled), expected);
            EXPECT_EQ(warnings, "");
            EXPECT_EQ(Core().get_versions("CPU").at("CPU").description.find("forbids"),
                      std::string::npos);
            return true;
        })) << model.name;
    }
}

// As German has them: "1.234,5".
class Commas : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

// Makes the C library's locale of this name, where its sources are installed.
void make_locale(const std::string& name, const std::string& folder) {
    const std::string command =
        "localedef -i de_DE -f UTF-8 --no-archive " + folder + "/" + name + " > /dev/null 2>&1";
    if (std::system(command.c_str()) != 0) std::printf("only C++ has decimal commas here\n");
}

TEST(Machines, ALocaleWithDecimalCommas) {
    const TemporaryFolder folder;
    make_locale("de_DE.UTF-8", folder.path());
    for (const FaultModel& model : kFaultModels) {
        const Model read = Core().read_model(path_of(model));
        const auto expected = run(Core().compile_model(read));
        save_model(read, folder / "before.xml", false);
        EXPECT_TRUE(succeeds_in_a_child([&] {
            ::setenv("LOCPATH", folder.path().c_str(), 1);
            if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr) {
                EXPECT_EQ(std::localeconv()->decimal_point, std::string(","));
            }
            std::locale::global(std::locale(std::locale(), new Commas));
            const Model again = Core().read_model(path_of(model));
            EXPECT_EQ(again.to_text(), read.to_text());
            save_model(again, folder / "after.xml", false);
            EXPECT_EQ(bytes_of(folder / "after.xml"), bytes_of(folder / "before.xml"));
            CompiledModel compiled = Core().compile_model(
                folder / "after.xml", "CPU",
                {{property::kNumStreams, "2"}, {property::kInferenceNumThreads, "1000"}});
            EXPECT_EQ(compiled.get_property(property::kInferenceNumThreads), "1000");
            expect_same(run(compiled), expected);
            return true;
        })) << model.name;
    }
}

// In an empty root there is neither /proc nor /sys, and no file at all.
TEST(Machines, NoProcAndNoFiles) {
    const std::string path = path_of(kFaultModels[4]);
    const std::string bytes = bytes_of(path);
    const auto expected = run(Core().compile_model(path));
    const TemporaryFolder folder;
    const auto enter = [&] { return ::chroot(folder.path().c_str()) == 0 && ::chdir("/") == 0; };
    if (!is_possible(enter)) GTEST_SKIP() << "the system doesn't allow chroot";
    EXPECT_TRUE(succeeds_in_a_child([&] {
        if (!enter()) return false;
        EXPECT_FALSE(std::filesystem::exists("/proc"));
        const Model model = Core().read_model(bytes.data(), bytes.size());
        expect_same(run(Core().compile_model(model)), expected);
        expect_same(run_asynchronously(Core().compile_model(model)), expected);
        EXPECT_FALSE(Core().get_property("CPU", property::kFullDeviceName).empty());
        return true;
    }));
}

TEST(Machines, AReadOnlyFileSystem) {
    const std::string path = path_of(kFaultModels[4]);
    const auto expected = run(Core().compile_model(path));
    const TemporaryFolder folder;
    const auto mount_read_only = [&] {
        return ::unshare(CLONE_NEWNS) == 0 &&
               ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", folder.path().c_str(), "tmpfs", MS_RDONLY, nullptr) == 0;
    };
    if (!is_possible(mount_read_only)) GTEST_SKIP() << "the system doesn't allow mounts";
    EXPECT_TRUE(succeeds_in_a_child([&] {
        if (!mount_read_only()) return false;
        expect_same(run(Core().compile_model(path)), expected);
        expect_error<ModelError>(
            [&] {
                Core().compile_model(path, "CPU", {{property::kCacheDir, folder.path()}});
            },
            "can't be written to: Read-only file system");
        expect_error<ModelError>(
            [&] { save_model(Core().read_model(path), folder / "m.onnx", false); },
            "m.onnx: can't create the file: Read-only file system");
        return true;
    }));
}

}  // namespace
}  // namespace rondo::test::machines_test
