#include "frontend/onnx/messages/external_data.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "frontend/onnx/messages/tensor_reader.hpp"
#include "rondo/core.hpp"
#include "rondo/properties.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::external_data_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::tensor_of;

ModelSource source_at(const std::string& path, std::vector<OpenedFile>* opened = nullptr) {
    ModelSource source;
    source.path = path;
    source.opened_files = opened;
    return source;
}

// A folder with a file of seven floats: 0, 1 ... 6.
class OnnxExternalData : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_ / "sub");
        std::ofstream file(folder_ / "sub" / "weights.bin", std::ios::binary);
        for (int i = 0; i < 7; ++i) {
            const auto value = static_cast<float>(i);
            file.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
    }

    std::string model_path() const { return (folder_ / "model.onnx").string(); }

    // f32 [2] at these places; an empty text leaves an entry out.
    static rondo_onnx::TensorProto tensor(const std::string& location, const std::string& offset,
                                          const std::string& length) {
        auto message = test::to_message("w", Tensor(ElementType::f32, {2}));
        message.clear_raw_data();
        message.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
        const std::pair<const char*, std::string> entries[] = {
            {"location", location}, {"offset", offset}, {"length", length}, {"checksum", "abc"}};
        for (const auto& [key, value] : entries) {
            if (value.empty()) continue;
            auto& entry = *message.add_external_data();
            entry.set_key(key);
            entry.set_value(value);
        }
        return message;
    }

    void expect_refused(const rondo_onnx::TensorProto& message, const std::string& what) {
        TensorReader reader(source_at(model_path()));
        expect_error<ModelError>([&] { reader.read(message); }, what);
    }

    const test::TemporaryFolder temporary_;
    const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(OnnxExternalData, ReadsARange) {
    TensorReader reader(source_at(model_path()));
    expect_same(reader.read(tensor("sub/weights.bin", "12", "8")), tensor_of<float>({2}, {3, 4}));
    expect_same(reader.read(tensor("sub/weights.bin", "", "")), tensor_of<float>({2}, {0, 1}));
    expect_same(reader.read(tensor("./sub/weights.bin", "20", "8")), tensor_of<float>({2}, {5, 6}));
}

// An element must not be read across its alignment: such a tensor is copied.
TEST_F(OnnxExternalData, CopiesWhatIsMisaligned) {
    TensorReader reader(source_at(model_path()));
    const Tensor misaligned = reader.read(tensor("sub/weights.bin", "2", "8"));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(misaligned.data()) % alignof(float), 0u);
}

// Other bytes than 0 and 1 must not be read as booleans; numbers need no copy.
TEST_F(OnnxExternalData, CopiesBooleansAlone) {
    std::ofstream(folder_ / "flags.bin", std::ios::binary) << std::string("\0\2\1\xff", 4);
    auto flags = tensor("flags.bin", "", "");
    flags.set_data_type(rondo_onnx::TensorProto::BOOL);
    flags.set_dims(0, 4);
    TensorReader reader(source_at(model_path()));
    expect_same(reader.read(flags), tensor_of<bool>({4}, {false, true, true, true}));
    const auto numbers = tensor("sub/weights.bin", "", "");
    EXPECT_EQ(reader.read(numbers).data(), reader.read(numbers).data());
}

TEST_F(OnnxExternalData, OutlivesTheReader) {
    Tensor read;
    {
        TensorReader reader(source_at(model_path()));
        read = reader.read(tensor("sub/weights.bin", "4", "8"));
    }
    std::filesystem::remove_all(folder_);
    expect_same(read, tensor_of<float>({2}, {1, 2}));
}

TEST_F(OnnxExternalData, RefusesRangesPastTheEnd) {
    expect_refused(tensor("sub/weights.bin", "24", "8"),
                   "tensor 'w': bytes 24 to 32 lie past the end of 'sub/weights.bin', which has "
                   "28");
    expect_refused(tensor("sub/weights.bin", "9223372036854775807", "8"), "past the end of");
}

TEST_F(OnnxExternalData, RefusesBadNumbers) {
    expect_refused(tensor("sub/weights.bin", "-4", "8"),
                   "external_data's offset is '-4'; expected bytes");
    expect_refused(tensor("sub/weights.bin", "0", "eight"),
                   "external_data's length is 'eight'; expected bytes");
    expect_refused(tensor("sub/weights.bin", "0", "12"),
                   "external_data's length is 12; expected 8 bytes");
}

TEST_F(OnnxExternalData, RefusesPlacesOutsideTheFolder) {
    const std::string expected = "expected a path inside the model's folder";
    expect_refused(tensor("../weights.bin", "", ""), expected);
    expect_refused(tensor("sub/../../weights.bin", "", ""), expected);
    expect_refused(tensor((folder_ / "sub" / "weights.bin").string(), "", ""), expected);
    expect_refused(tensor(std::string("sub/weights.bin\0.txt", 20), "", ""), expected);
}

TEST_F(OnnxExternalData, RefusesMissingFiles) {
    expect_refused(tensor("nowhere.bin", "", ""), "nowhere.bin: can't read the file");
    expect_refused(tensor("sub", "", ""), "sub: can't read the file");
    expect_refused(tensor("", "0", ""), "external_data has no location");
}

TEST_F(OnnxExternalData, NeedsAModelThatIsAFile) {
    TensorReader reader;
    expect_error<ModelError>([&] { reader.read(tensor("sub/weights.bin", "", "")); },
                             "but the model was read from memory; read it from its file");
}

TEST_F(OnnxExternalData, RefusesLinksOutOfTheFolder) {
    const auto outside = folder_.string() + "_outside";
    std::filesystem::create_directories(outside);
    std::filesystem::copy_file(folder_ / "sub" / "weights.bin", outside + "/weights.bin");
    std::filesystem::create_symlink(outside + "/weights.bin", folder_ / "file.link");
    std::filesystem::create_directory_symlink(outside, folder_ / "folder.link");
    expect_refused(tensor("file.link", "", ""), "file.link' is a link to '");
    expect_refused(tensor("folder.link/weights.bin", "", ""), "inside the model's folder");
    expect_refused(tensor("folder.link/none.bin", "", ""), "none.bin: can't read the file");
    // A folder whose name only begins the same is another one.
    std::filesystem::create_symlink("../" + folder_.filename().string() + "_outside/weights.bin",
                                    folder_ / "near.link");
    expect_refused(tensor("near.link", "", ""), "inside the model's folder");
    std::filesystem::remove_all(outside);
}

TEST_F(OnnxExternalData, FollowsLinksInsideTheFolder) {
    std::filesystem::create_symlink("sub/weights.bin", folder_ / "inner.link");
    TensorReader reader(source_at(model_path()));
    expect_same(reader.read(tensor("inner.link", "4", "8")), tensor_of<float>({2}, {1, 2}));
}

// A store that keeps blobs under their digests and models as folders of links.
TEST_F(OnnxExternalData, FollowsLinksToBesideALinkedModel) {
    std::filesystem::create_directories(folder_ / "blobs");
    std::filesystem::create_directories(folder_ / "model");
    std::ofstream(folder_ / "blobs" / "1") << "the model";
    std::filesystem::rename(folder_ / "sub" / "weights.bin", folder_ / "blobs" / "2");
    std::filesystem::create_symlink("../blobs/1", folder_ / "model" / "model.onnx");
    std::filesystem::create_symlink("../blobs/2", folder_ / "model" / "weights.bin");
    TensorReader reader(source_at((folder_ / "model" / "model.onnx").string()));
    expect_same(reader.read(tensor("weights.bin", "4", "8")), tensor_of<float>({2}, {1, 2}));
}

// The list keeps what was read, not what has the name later.
TEST_F(OnnxExternalData, ListsTheBytesThatWereRead) {
    std::vector<OpenedFile> opened;
    TensorReader reader(source_at(model_path(), &opened));
    reader.read(tensor("sub/weights.bin", "4", "8"));
    reader.read(tensor("sub/weights.bin", "12", "8"));
    std::filesystem::remove(folder_ / "sub" / "weights.bin");
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_EQ(opened[0].path, (folder_ / "sub" / "weights.bin").string());
    ASSERT_EQ(opened[0].bytes.size, 28u);
    float first = 0;
    std::memcpy(&first, opened[0].bytes.data + 24, sizeof first);
    EXPECT_EQ(first, 6);
}

TEST_F(OnnxExternalData, RefusesAFifoAtOnce) {
    ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    expect_refused(tensor("fifo", "", ""), "it is not a regular file");
}

// An entry of the model cache has what the passes changed, and maps the rest from the model's
// files.
TEST_F(OnnxExternalData, IsNotCopiedIntoTheCache) {
    constexpr std::size_t kRows = 100'000;
    std::ofstream(folder_ / "table.bin", std::ios::binary) << "weights";
    std::filesystem::resize_file(folder_ / "table.bin", kRows * 8);
    test::ModelBuilder model;
    model.input("ids", ElementType::i64, {3}).output("y");
    model.initializer("table", Tensor(ElementType::f32, {kRows, 2}));
    model.node("Gather", {"table", "ids"}, {"y"});
    auto& table = *model.graph().mutable_initializer(0);
    const auto place = tensor("table.bin", "", "");
    table.clear_raw_data();
    table.set_data_location(place.data_location());
    *table.mutable_external_data() = place.external_data();
    std::ofstream(model_path(), std::ios::binary) << model.bytes();

    const Core core;
    const auto result = [](CompiledModel compiled) {
        InferRequest request = compiled.create_infer_request();
        request.set_input_tensor(tensor_of<std::int64_t>({3}, {0, 1, kRows - 1}));
        request.infer();
        return request.get_output_tensor();
    };
    const Tensor expected = result(core.compile_model(model_path()));
    const std::string cache = (folder_ / "cache").string();
    for (const char* from_cache : {"NO", "YES"}) {
        const auto compiled =
            core.compile_model(model_path(), "CPU", {{property::kCacheDir, cache}});
        EXPECT_EQ(compiled.get_property(property::kLoadedFromCache), from_cache);
        expect_same(result(compiled), expected);
    }
    for (const auto& entry : std::filesystem::directory_iterator(cache)) {
        EXPECT_LT(entry.file_size(), 10'000u);
    }
}

}  // namespace
}  // namespace rondo::onnx::external_data_test
