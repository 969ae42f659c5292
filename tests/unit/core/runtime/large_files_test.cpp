// The model cache with weights that are too large to be read for it.
#include <filesystem>

#include "core/ops/source/source_ops.hpp"
#include "core/runtime/cache/file_identity.hpp"
#include "core/runtime/compile.hpp"
#include "core/runtime/model_cache.hpp"
#include "rondo/core.hpp"
#include "rondo/log.hpp"
#include "tests/support/files/changed_files.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::large_files_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kColumns = 1024;
constexpr std::size_t kRowBytes = kColumns * sizeof(float);
constexpr std::size_t kMiB = std::size_t{1} << 20;
// What an inference and the samples may read, with what the system reads ahead.
constexpr std::size_t kFewBytes = 64 * kMiB;

std::string layer(int id, const std::string& name, const std::string& type,
                  const std::string& rest) {
    return "<layer id=\"" + std::to_string(id) + "\" name=\"" + name + "\" type=\"" + type + "\" " +
           rest + "</layer>";
}
std::string constant(int id, const std::string& name, const std::string& data) {
    return layer(id, name, "Const",
                 "version=\"opset1\"><data " + data + "/><output><port id=\"0\"/></output>");
}
std::string edge(int from, int from_port, int to, int to_port) {
    return "<edge from-layer=\"" + std::to_string(from) + "\" from-port=\"" +
           std::to_string(from_port) + "\" to-layer=\"" + std::to_string(to) + "\" to-port=\"" +
           std::to_string(to_port) + "\"/>";
}

// y = table[ids] + a * b. The product becomes a constant of its own, the table stays where it is.
std::string lookup_xml(std::size_t rows) {
    const std::string three =
        "<input><port id=\"0\"/><port id=\"1\"/><port id=\"2\"/></input>"
        "<output><port id=\"3\"/></output>";
    const std::string two =
        "<input><port id=\"0\"/><port id=\"1\"/></input><output><port id=\"2\"/></output>";
    return "<?xml version=\"1.0\"?><net name=\"lookup\" version=\"11\"><layers>" +
           layer(0, "ids", "Parameter",
                 "version=\"opset1\"><data shape=\"?\" element_type=\"i64\"/>"
                 "<output><port id=\"0\"/></output>") +
           constant(1, "table",
                    "element_type=\"f32\" offset=\"0\" shape=\"" + std::to_string(rows) + ", " +
                        std::to_string(kColumns) + "\" size=\"" + std::to_string(rows * kRowBytes) +
                        "\"") +
           constant(2, "axis", "element_type=\"i64\" offset=\"8192\" shape=\"\" size=\"8\"") +
           layer(3, "row", "Gather", "version=\"opset8\"><data batch_dims=\"0\"/>" + three) +
           constant(4, "a", "element_type=\"f32\" offset=\"5000\" shape=\"1\" size=\"4\"") +
           constant(5, "b", "element_type=\"f32\" offset=\"5004\" shape=\"1\" size=\"4\"") +
           layer(6, "ab", "Multiply", "version=\"opset1\"><data auto_broadcast=\"numpy\"/>" + two) +
           layer(7, "sum", "Add", "version=\"opset1\"><data auto_broadcast=\"numpy\"/>" + two) +
           layer(8, "y", "Result", "version=\"opset1\"><input><port id=\"0\"/></input>") +
           "</layers><edges>" + edge(1, 0, 3, 0) + edge(0, 0, 3, 1) + edge(2, 0, 3, 2) +
           edge(4, 0, 6, 0) + edge(5, 0, 6, 1) + edge(3, 3, 7, 0) + edge(6, 2, 7, 1) +
           edge(7, 2, 8, 0) + "</edges></net>";
}

std::string bytes_of_floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// The model with a table of holes, which takes no room on the disk, and a cache beside it.
class LargeFiles : public testing::Test {
protected:
    void make(std::size_t table_bytes) {
        rows = table_bytes / kRowBytes;
        write_bytes(model, lookup_xml(rows));
        make_weights(weights, 2.0f);
    }
    void make_weights(const std::string& path, float a) const {
        write_bytes(path, bytes_of_floats({1.5f}));
        fs::resize_file(path, rows * kRowBytes);
        write_in_place(path, 5000, bytes_of_floats({a, 3.0f}));
        write_in_place(path, (rows - 1) * kRowBytes, bytes_of_floats({-4.0f, 5.0f}));
    }
    CompiledModel compile() const { return core.compile_model(model, "CPU", cached); }
    static std::string loaded(const CompiledModel& compiled) {
        return compiled.get_property(property::kLoadedFromCache);
    }
    // What the first and the last row give.
    Tensor result(CompiledModel compiled) const {
        InferRequest request = compiled.create_infer_request();
        request.set_input_tensor(
            tensor_of<std::int64_t>({2}, {0, static_cast<std::int64_t>(rows) - 1}));
        request.infer();
        return request.get_output_tensor();
    }
    // The first time isn't from the cache, the second one is; both give what the file says now.
    void expect_new(float a) const {
        const CompiledModel first = compile();
        EXPECT_EQ(loaded(first), "NO");
        const CompiledModel second = compile();
        EXPECT_EQ(loaded(second), "YES");
        for (const auto& compiled : {first, second}) {
            const Tensor y = result(compiled);
            EXPECT_EQ(y.data<float>()[0], 1.5f + a * 3.0f);
            EXPECT_EQ(y.data<float>()[kColumns], -4.0f + a * 3.0f);
        }
        expect_same(result(first), result(core.compile_model(model)));
    }
    std::size_t cache_bytes() const {
        std::size_t bytes = 0;
        for (const auto& entry : fs::directory_iterator(folder / "cache")) {
            bytes += entry.file_size();
        }
        return bytes;
    }

    Core core;
    const TemporaryFolder folder;
    const std::string model = folder / "m.xml";
    const std::string weights = folder / "m.bin";
    const Properties cached{{property::kCacheDir, folder / "cache"}};
    std::size_t rows = 0;
};

// The bytes are counted by what of the file is in memory afterwards.
TEST_F(LargeFiles, NeitherTheFirstTimeNorTheCacheReadsOrCopiesThem) {
    make(3072 * kMiB);
    expect_new(2.0f);
    EXPECT_LT(bytes_in_memory(weights), kFewBytes);
    EXPECT_LT(cache_bytes(), kMiB);
}

TEST_F(LargeFiles, ModelsThatWereReadAreCachedLikewise) {
    make(3072 * kMiB);
    const Model read = core.read_model(model);
    EXPECT_EQ(loaded(core.compile_model(read, "CPU", cached)), "NO");
    const CompiledModel second = core.compile_model(core.read_model(model), "CPU", cached);
    EXPECT_EQ(loaded(second), "YES");
    expect_same(result(second), result(core.compile_model(read)));
    EXPECT_LT(bytes_in_memory(weights), kFewBytes);
    EXPECT_LT(cache_bytes(), kMiB);
}

// Neither read for the key nor copied into the entry.
TEST_F(LargeFiles, ModelsThatWereReadLeaveFilesOfMediumSizeWhereTheyAre) {
    make(64 * kMiB);
    EXPECT_EQ(loaded(core.compile_model(core.read_model(model), "CPU", cached)), "NO");
    EXPECT_LT(cache_bytes(), kMiB);
    const CompiledModel second = core.compile_model(core.read_model(model), "CPU", cached);
    EXPECT_EQ(loaded(second), "YES");
    expect_same(result(second), result(core.compile_model(model)));
    with_old_time(weights, [&] { write_in_place(weights, 5000, bytes_of_floats({8.0f})); });
    EXPECT_EQ(loaded(core.compile_model(core.read_model(model), "CPU", cached)), "NO");
    EXPECT_EQ(loaded(core.compile_model(core.read_model(model), "CPU", cached)), "YES");
}

// The size stays, and no sample has the bytes.
TEST_F(LargeFiles, ChangesAreNoticed) {
    make(512 * kMiB);
    expect_new(2.0f);
    write_in_place(weights, 5000, bytes_of_floats({7.0f}));
    expect_new(7.0f);
    with_old_time(weights, [&] { write_in_place(weights, 5000, bytes_of_floats({8.0f})); });
    expect_new(8.0f);
    with_old_time(weights, [&] {
        make_weights(folder / "new", 9.0f);
        fs::rename(folder / "new", weights);
    });
    expect_new(9.0f);
    fs::last_write_time(weights, fs::file_time_type::clock::now());
    expect_new(9.0f);
}

TEST_F(LargeFiles, ModelsThatWereReadKeepToTheirBytes) {
    make(512 * kMiB);
    const Model read = core.read_model(model);
    core.compile_model(read, "CPU", cached);
    make_weights(folder / "new", 9.0f);
    fs::rename(folder / "new", weights);
    const CompiledModel old = core.compile_model(read, "CPU", cached);
    EXPECT_EQ(loaded(old), "NO");
    EXPECT_EQ(result(old).data<float>()[0], 1.5f + 2.0f * 3.0f);
    const CompiledModel now = core.compile_model(core.read_model(model), "CPU", cached);
    EXPECT_EQ(loaded(now), "NO");
    EXPECT_EQ(result(now).data<float>()[0], 1.5f + 9.0f * 3.0f);
}

// As an image of a container is, in which the cache was filled before.
TEST_F(LargeFiles, CopiesOfFilesOfMediumSizeAreKnown) {
    make(kSmallFile + kMiB);
    expect_new(2.0f);
    const TemporaryFolder moved;
    fs::copy(folder.path(), moved.path(), fs::copy_options::recursive);
    const CompiledModel compiled =
        core.compile_model(moved / "m.xml", "CPU", {{property::kCacheDir, moved / "cache"}});
    EXPECT_EQ(loaded(compiled), "YES");
    expect_same(result(compiled), result(compile()));
    with_old_time(weights, [&] { write_in_place(weights, 5000, bytes_of_floats({8.0f})); });
    expect_new(8.0f);
}

// A model of one file: the bytes of an ONNX model, say. The change is one that no sample has.
TEST_F(LargeFiles, ALargeModelItselfIsSampled) {
    make(kMiB);
    std::string xml =
        replaced(bytes_of(model), "<layers>", "<layers><!--" + std::string(6000, ' ') + "-->");
    xml += "<!--" + std::string(kSmallFile, ' ') + "-->";
    write_bytes(model, xml);
    expect_new(2.0f);
    write_in_place(model, xml.find("offset=\"5004\""), "offset=\"5000\"");
    for (const char* from_cache : {"NO", "YES"}) {
        const CompiledModel changed = compile();
        EXPECT_EQ(loaded(changed), from_cache);
        EXPECT_EQ(result(changed).data<float>()[0], 1.5f + 2.0f * 2.0f);
    }
}

// Holes again: nothing has read these zeros.
TEST(ModelCacheEntry, IsNotWrittenWhereTheConstantsOfPassesAreTooLarge) {
    const TemporaryFolder folder;
    const ModelCache cache(folder / "cache");
    const auto graph_of = [](std::size_t bytes) {
        const auto large = make_node<ops::Constant>(Tensor(ElementType::u8, {bytes}));
        const auto y = make_node<ops::Result>(large);
        return std::make_shared<Graph>("large", std::vector<NodePtr>{}, std::vector<NodePtr>{y});
    };
    std::string said;
    const LogLevel level = log_level();
    set_log_level(LogLevel::info);
    set_log_callback([&](LogLevel, const std::string& line) { said += line; });
    cache.store("key", *graph_of((std::size_t{1} << 30) + 1));
    set_log_callback({});
    set_log_level(level);
    EXPECT_NE(said.find("more than 1073741824 cost more than they save"), std::string::npos)
        << said;
    EXPECT_FALSE(fs::exists(cache.path_of("key")));
    cache.store("key", *graph_of(1000));
    EXPECT_TRUE(fs::exists(cache.path_of("key")));
}

// An entry names its files; no other IR may.
TEST(ModelCacheEntry, AloneHasConstantsInOtherFiles) {
    const std::string xml = bytes_of(kFixture + ".xml");
    expect_error<UnsupportedError>(
        [&] { read_text(replaced(xml, "offset=\"0\"", "file=\"1\" offset=\"0\"")); },
        "attribute 'file' (\"1\") is not known");
}

}  // namespace
}  // namespace rondo::test::large_files_test
