// Models and cache entries cut off at every byte: each ends in a ModelError, or in what the whole
// file gives.
#include <sstream>

#include "core/runtime/model_cache.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::truncation_test {
namespace {

const std::string kLstm = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model";

std::vector<Tensor> run(const Model& model) {
    CompiledModel compiled = Core().compile_model(model);
    InferRequest request = compiled.create_infer_request();
    return infer_once(request, inputs_of(compiled.inputs(), 3), compiled.outputs().size());
}

// How many prefixes were read as the whole file is; all others must end in a ModelError.
template <typename Read>
std::size_t count_whole(std::size_t size, Read read) {
    std::size_t whole = 0;
    for (std::size_t cut = 0; cut < size; ++cut) {
        try {
            whole += read(cut) ? 1 : 0;
        } catch (const ModelError&) {
        } catch (const std::exception& error) {
            ADD_FAILURE() << "cut at byte " << cut << ": " << error.what();
        }
    }
    return whole;
}

TEST(Truncation, OnnxModels) {
    const std::string bytes = bytes_of(
        RONDO_SOURCE_DIR "/tests/data/exporters/torch_script_17_packed_lstm_bi/model.onnx");
    const Core core;
    const auto expected = run(core.read_model(bytes.data(), bytes.size()));
    // After the graph there are only fields of the model.
    const std::size_t whole = count_whole(bytes.size(), [&](std::size_t cut) {
        expect_same(run(core.read_model(bytes.data(), cut)), expected);
        return true;
    });
    EXPECT_LE(whole, 2u);
}

TEST(Truncation, XmlFiles) {
    const std::string xml = bytes_of(kLstm + ".xml");
    const Tensor weights = bytes_tensor(kLstm + ".bin");
    const Core core;
    const std::string expected = core.read_model(xml.data(), xml.size(), weights).to_text();
    const std::size_t whole = count_whole(xml.size(), [&](std::size_t cut) {
        EXPECT_EQ(core.read_model(xml.data(), cut, weights).to_text(), expected) << cut;
        return true;
    });
    EXPECT_LE(whole, 1u);  // without the line's end
}

TEST(Truncation, BinFiles) {
    const TemporaryFolder folder;
    const std::string xml = bytes_of(kLstm + ".xml");
    const std::string bin = bytes_of(kLstm + ".bin");
    write_bytes(folder / "m.xml", xml);
    const std::size_t whole = count_whole(bin.size(), [&](std::size_t cut) {
        write_bytes(folder / "m.bin", bin.substr(0, cut));
        Core().read_model(folder / "m.xml");
        return true;
    });
    EXPECT_EQ(whole, 0u);
}

// What export_model() writes. None of it is optional, not even the last byte.
TEST(Truncation, ExportedModels) {
    const Core core;
    std::ostringstream stream;
    core.compile_model(core.read_model(kLstm + ".xml"), "CPU").export_model(stream);
    const std::string bytes = stream.str();
    const auto import = [&](std::size_t size) {
        std::istringstream cut(bytes.substr(0, size));
        return core.import_model(cut, "CPU");
    };
    EXPECT_NO_THROW(import(bytes.size()));
    const std::size_t whole = count_whole(bytes.size(), [&](std::size_t cut) {
        import(cut);
        return true;
    });
    EXPECT_EQ(whole, 0u);
}

TEST(Truncation, CacheEntries) {
    const TemporaryFolder folder;
    const ModelCache cache(folder.path());
    const std::string key = "a key";
    cache.store(key, *read_file(kLstm + ".xml"));
    const std::size_t size = std::filesystem::file_size(cache.path_of(key));
    const std::size_t whole = count_whole(size, [&](std::size_t cut) {
        std::filesystem::resize_file(cache.path_of(key), size - 1 - cut);
        return cache.load(key) != nullptr;
    });
    EXPECT_EQ(whole, 0u);
}

// Every compilation gives the right result, and makes the entry again.
TEST(Truncation, ModelsWithACutCacheEntry) {
    const TemporaryFolder folder;
    const Properties properties{{property::kCacheDir, folder.path()}};
    const Core core;
    const auto compile = [&] { return core.compile_model(kLstm + ".xml", "CPU", properties); };
    compile();
    const std::string entry = std::filesystem::directory_iterator(folder.path())->path();
    const std::string bytes = bytes_of(entry);
    const auto expected = run(core.read_model(kLstm + ".xml"));
    for (std::size_t cut = 0; cut < bytes.size(); cut += bytes.size() / 64) {
        write_bytes(entry, bytes.substr(0, cut));
        CompiledModel compiled = compile();
        EXPECT_EQ(compiled.get_property(property::kLoadedFromCache), "NO") << cut;
        InferRequest request = compiled.create_infer_request();
        expect_same(infer_once(request, inputs_of(compiled.inputs(), 3), expected.size()),
                    expected);
        EXPECT_EQ(bytes_of(entry), bytes);
    }
    EXPECT_EQ(compile().get_property(property::kLoadedFromCache), "YES");
}

}  // namespace
}  // namespace rondo::test::truncation_test
