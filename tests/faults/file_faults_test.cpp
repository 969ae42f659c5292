// Full disks, read-only folders, writers that are killed, and files that change under a mapping.
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "frontend/onnx/onnx.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::file_faults_test {
namespace {

namespace fs = std::filesystem;

const std::string kLstm = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
const std::string kGru =
    RONDO_SOURCE_DIR "/tests/data/exporters/torch_graph_18_gru_2l_bi_bf/model.onnx";

std::size_t files_in(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

std::vector<Tensor> run(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    return infer_once(request, inputs_of(compiled.inputs(), 3), compiled.outputs().size());
}

// While this lives, no file of the process grows beyond `bytes`, as on a full disk.
class DiskLimit {
public:
    explicit DiskLimit(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~DiskLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    DiskLimit(const DiskLimit&) = delete;
    DiskLimit& operator=(const DiskLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int);
};

constexpr std::size_t kSteps = 40;  // sizes at which the disk is full

TEST(FullDisk, LeavesTheOldModel) {
    const Model old_model = Core().read_model(kLstm);
    const Model new_model = Core().read_model(kGru);
    for (const char* ending : {".xml", ".onnx"}) {
        const TemporaryFolder folder;
        const std::string path = folder / std::string("m") + ending;
        save_model(new_model, path, false);
        std::size_t size = 0;
        for (const auto& file : fs::directory_iterator(folder.path())) {
            size = std::max<std::size_t>(size, file.file_size());
        }
        save_model(old_model, path, false);
        const std::string text = Core().read_model(path).to_text();
        const std::size_t count = files_in(folder.path());
        for (std::size_t i = 0; i < kSteps; ++i) {
            const DiskLimit full(size * i / kSteps);
            expect_error<ModelError>([&] { save_model(new_model, path, false); },
                                     "can't write the file: File too large");
            EXPECT_EQ(Core().read_model(path).to_text(), text) << i;
            EXPECT_EQ(files_in(folder.path()), count) << i;
        }
    }
}

TEST(FullDisk, CompilesWithoutACacheEntry) {
    const auto expected = run(Core().compile_model(kGru));
    const TemporaryFolder folder;
    const Properties properties{{property::kCacheDir, folder.path()}};
    run(Core().compile_model(kGru, "CPU", properties));
    const std::size_t size = fs::directory_iterator(folder.path())->file_size();
    for (std::size_t i = 0; i < kSteps; ++i) {
        for (const auto& file : fs::directory_iterator(folder.path())) fs::remove(file.path());
        const DiskLimit full(size * i / kSteps);
        expect_same(run(Core().compile_model(kGru, "CPU", properties)), expected);
        EXPECT_EQ(files_in(folder.path()), 0u) << i;
    }
}

// Becomes another user where this one may write anywhere.
bool lose_rights() {
    constexpr unsigned kNobody = 65534;
    return ::geteuid() != 0 ||
           (::setgroups(0, nullptr) == 0 && ::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
}

TEST(ReadOnlyFolder, IsAnErrorThatNamesIt) {
    if (!succeeds_in_a_child(lose_rights)) GTEST_SKIP() << "the system doesn't allow setuid";
    const TemporaryFolder folder;
    const TemporaryFolder readable;  // the source folder may be closed to others
    save_model(Core().read_model(kLstm), readable / "m.xml", false);
    const std::string written = readable / "m.xml";
    for (const auto& each : {folder.path(), readable.path()}) ::chmod(each.c_str(), 0555);
    EXPECT_TRUE(succeeds_in_a_child([&] {
        if (!lose_rights()) return false;
        expect_error<ModelError>(
            [&] {
                Core().compile_model(written, "CPU", {{property::kCacheDir, folder.path()}});
            },
            "the folder '" + folder.path() + "' can't be written to: Permission denied");
        expect_error<ModelError>(
            [&] { save_model(Core().read_model(written), folder / "m.xml", false); },
            "m.bin: can't create the file: Permission denied");
        run(Core().compile_model(written));  // only reads
        return true;
    }));
    for (const auto& each : {folder.path(), readable.path()}) ::chmod(each.c_str(), 0755);
}

// Kills writers at random times after their first file; `read` looks at what there is after each.
template <typename Write, typename Read>
void kill_writers(int rounds, Write write, Read read) {
    auto rng = test_rng();
    for (int round = 0; round < rounds; ++round) {
        int written[2];
        ASSERT_EQ(::pipe(written), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            for (int i = 0;; ++i) {
                write(i % 2);
                if (i == 0 && ::write(written[1], "1", 1) != 1) ::_exit(1);
            }
        }
        ::close(written[1]);
        char first = 0;
        EXPECT_EQ(::read(written[0], &first, 1), 1);
        ::close(written[0]);
        ::usleep(static_cast<unsigned>(uniform_int(rng, 0, 12'000)));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        read(round);
    }
}

constexpr int kKills = 60;

TEST(KilledWriter, LeavesAnOldOrANewOnnxModel) {
    const TemporaryFolder folder;
    const Model models[] = {Core().read_model(kLstm), Core().read_model(kGru)};
    std::string bytes[2];
    for (int i = 0; i < 2; ++i) {
        save_model(models[i], folder / "m.onnx", false);
        bytes[i] = bytes_of(folder / "m.onnx");
    }
    kill_writers(
        kKills, [&](int i) { save_model(models[i], folder / "m.onnx", false); },
        [&](int) {
            const std::string found = bytes_of(folder / "m.onnx");
            EXPECT_TRUE(found == bytes[0] || found == bytes[1]);
        });
    save_model(models[0], folder / "m.onnx", false);
    EXPECT_EQ(files_in(folder.path()), 1u);  // and no temporary file
}

// The two files can't be replaced at once: the old model goes first, so that none is read with the
// other's weights.
TEST(KilledWriter, LeavesAnOldOrANewOnnxModelWithItsDataOrNone) {
    const TemporaryFolder folder;
    const std::string path = folder / "m.onnx";
    const Model models[] = {Core().read_model(kLstm), Core().read_model(kGru)};
    onnx::WriteLimits limits;
    limits.least_external = 1;
    const auto write = [&](int i) {
        onnx::write(*models[i].graph(), path, {ElementType::f32, true}, limits);
    };
    std::vector<Tensor> expected[2];
    for (int i = 0; i < 2; ++i) {
        write(i);
        expected[i] = run(Core().compile_model(path));
    }
    int missing = 0;
    kill_writers(kKills, write, [&](int) {
        if (!fs::exists(path)) {
            ++missing;
            return;
        }
        const auto found = run(Core().compile_model(path));
        expect_same(found, found.size() == expected[0].size() ? expected[0] : expected[1]);
    });
    EXPECT_LT(missing, kKills);
    write(0);
    EXPECT_EQ(files_in(folder.path()), 2u);
}

// The two files can't be replaced at once. A reader that meets a new .bin beside an old .xml is
// refused, and never gets a model with the other's weights.
TEST(KilledWriter, LeavesAnOldOrANewIrOrOneThatIsRefused) {
    const TemporaryFolder folder;
    const Model models[] = {Core().read_model(kLstm), Core().read_model(kGru)};
    std::vector<Tensor> expected[2];
    for (int i = 0; i < 2; ++i) {
        save_model(models[i], folder / "m.xml", false);
        expected[i] = run(Core().compile_model(folder / "m.xml"));
    }
    int refused = 0;
    kill_writers(
        kKills, [&](int i) { save_model(models[i], folder / "m.xml", false); },
        [&](int) {
            try {
                const auto found = run(Core().compile_model(folder / "m.xml"));
                expect_same(found, found.size() == expected[0].size() ? expected[0] : expected[1]);
            } catch (const ModelError& error) {
                EXPECT_NE(std::string(error.what()).find("was not written together with this XML"),
                          std::string::npos)
                    << error.what();
                ++refused;
            }
        });
    EXPECT_LT(refused, kKills);
    save_model(models[0], folder / "m.xml", false);
    EXPECT_EQ(files_in(folder.path()), 2u);
}

TEST(KilledWriter, LeavesNoBrokenCacheEntry) {
    const TemporaryFolder folder;
    const Properties properties{{property::kCacheDir, folder.path()}};
    const std::string paths[] = {kLstm, kGru};
    std::vector<Tensor> expected[2];
    for (int i = 0; i < 2; ++i) expected[i] = run(Core().compile_model(paths[i]));
    kill_writers(
        kKills,
        [&](int i) {
            for (const auto& file : fs::directory_iterator(folder.path())) {
                if (file.path().extension() == ".rondo") fs::remove(file.path());
            }
            Core().compile_model(paths[i], "CPU", properties);
        },
        [&](int round) {
            const int i = round % 2;
            expect_same(run(Core().compile_model(paths[i], "CPU", properties)), expected[i]);
        });
    for (const std::string& path : paths) Core().compile_model(path, "CPU", properties);
    EXPECT_EQ(files_in(folder.path()), 2u);  // and no temporary file
}

// A model keeps the files that it was read from, whatever becomes of their names.
TEST(MappedModel, OutlivesFilesThatAreReplacedOrRemoved) {
    const TemporaryFolder folder;
    const std::string path = folder / "m.xml";
    save_model(Core().read_model(kGru), path, false);
    const auto expected = run(Core().compile_model(path));
    const Model model = Core().read_model(path);
    CompiledModel compiled = Core().compile_model(model);
    save_model(Core().read_model(kLstm), path, false);
    expect_same(run(compiled), expected);
    expect_same(run(Core().compile_model(model)), expected);
    fs::remove(path);
    fs::remove(folder / "m.bin");
    expect_same(run(compiled), expected);
    expect_same(run(Core().compile_model(model)), expected);
}

}  // namespace
}  // namespace rondo::test::file_faults_test
