// Files: written whole or not at all.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/onnx.hpp"
#include "rondo/rondo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::model_writer_test {
namespace {

namespace fs = std::filesystem;

Model small_model(bool has_variable = false) {
    GraphBuilder builder;
    const Output x = builder.input("x", "?,2");
    if (has_variable) builder.assign("v", builder.read("v", "[?,2]", {x}));
    builder.output("y", builder.make<ops::Unary>("abs", ops::UnaryFunction::abs, x));
    return Model(builder.graph());
}

class OnnxModelWriter : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
    }

    const test::TemporaryFolder folder_;
};

TEST_F(OnnxModelWriter, TheNameSaysTheFormat) {
    save_model(small_model(), file("m.ONNX"));
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(Core().read_model(file("m.ONNX")).inputs()[0].any_name(), "x");
    save_model(small_model(), file("m.xml"), true);
    EXPECT_EQ(files(), 3U);
    expect_error<ModelError>([&] { save_model(small_model(), file("m.txt")); },
                             "m.txt' says no format; expected a name that ends in .xml or .onnx");
}

TEST_F(OnnxModelWriter, TheFormatMayBeNamed) {
    save_model_as("onnx", small_model(), file("m.txt"));
    EXPECT_EQ(Core().read_model(file("m.txt")).outputs()[0].any_name(), "y");
    expect_error<ModelError>([&] { save_model_as("tflite", small_model(), file("m.txt")); },
                             "'tflite' is not a format that this build writes; expected 'ir'");
    expect_error<ModelError>(
        [&] { save_model_as("onnx", small_model(), file("m.onnx"), ElementType::i8); },
        "weights can't be stored as i8; expected f32, f16 or bf16");
}

TEST_F(OnnxModelWriter, ARefusalWritesNothing) {
    const auto write = [&] { save_model(small_model(true), file("m.onnx")); };
    expect_error<UnsupportedError>(write, "m.onnx: ONNX can't say 2 nodes: ");
    EXPECT_EQ(files(), 0U);
    save_model(small_model(), file("m.onnx"));
    const auto size = fs::file_size(file("m.onnx"));
    expect_error<UnsupportedError>(write, "ONNX has no variables");
    EXPECT_EQ(fs::file_size(file("m.onnx")), size);
    expect_error<ModelError>([&] { save_model(small_model(), file("none/m.onnx")); },
                             "none/m.onnx: can't create the file: there is no folder '");
}

}  // namespace
}  // namespace rondo::test::model_writer_test
