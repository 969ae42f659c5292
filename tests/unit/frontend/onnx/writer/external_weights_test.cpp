// External data: a file beside the model, written whole or not at all.
#include "frontend/onnx/writer/context/external_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/onnx.hpp"
#include "rondo/rondo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::external_weights_test {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::GraphBuilder;
using test::ModelBuilder;
using testing::ElementsAre;

const SaveOptions kExternal{ElementType::f32, true};

Tensor random(ElementType type, const Shape& shape) {
    auto rng = test::test_rng();
    return test::random_tensor(type, shape, rng, -1, 1);
}

// An output for each constant: x + it, or it alone where it isn't f32.
Model sums(const std::vector<Tensor>& constants) {
    GraphBuilder builder;
    const Output x = builder.input("x", "[1]");
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const std::string name = "y" + std::to_string(i);
        const Output constant = builder.constant(constants[i]);
        const bool is_sum = constants[i].element_type() == ElementType::f32;
        builder.output(
            name, is_sum ? Output(builder.make<ops::Binary>("add" + std::to_string(i),
                                                            ops::BinaryFunction::add, x, constant))
                         : constant);
    }
    return Model(builder.graph());
}

class OnnxExternalWeights : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    std::string bytes_of(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    rondo_onnx::ModelProto message_of(const std::string& name) const {
        rondo_onnx::ModelProto message;
        EXPECT_TRUE(message.ParseFromString(bytes_of(name)));
        return message;
    }
    std::shared_ptr<Graph> read(const std::string& name) const {
        return Core().read_model(file(name)).graph();
    }

    const test::TemporaryFolder folder_;
};

using Entries = std::vector<std::pair<std::string, std::string>>;

Entries entries_of(const rondo_onnx::TensorProto& tensor) {
    Entries entries;
    for (const auto& entry : tensor.external_data()) {
        entries.emplace_back(entry.key(), entry.value());
    }
    return entries;
}

TEST_F(OnnxExternalWeights, LieBesideTheModelOneBehindTheOther) {
    const Tensor small = random(ElementType::f32, {255});
    const Tensor odd = random(ElementType::f32, {257});
    const Tensor large = random(ElementType::f32, {1 << 18});
    const Tensor last = random(ElementType::f32, {256});
    save_model(sums({small, odd, large, last}), file("m.onnx"), kExternal);
    EXPECT_THAT(files(), ElementsAre("m.onnx", "m.onnx.data"));
    const auto message = message_of("m.onnx");
    const auto& tensors = message.graph().initializer();
    ASSERT_EQ(tensors.size(), 4);
    EXPECT_EQ(tensors[0].raw_data().size(), 1020u);
    EXPECT_EQ(tensors[0].external_data_size(), 0);
    const auto place = [](const char* offset, const char* length) {
        return Entries{{"location", "m.onnx.data"}, {"offset", offset}, {"length", length}};
    };
    EXPECT_EQ(entries_of(tensors[1]), place("0", "1028"));
    EXPECT_EQ(entries_of(tensors[2]), place("4096", "1048576"));
    EXPECT_EQ(entries_of(tensors[3]), place("1052672", "1024"));
    for (int i = 1; i < 4; ++i) {
        EXPECT_EQ(tensors[i].data_location(), rondo_onnx::TensorProto::EXTERNAL);
        EXPECT_FALSE(tensors[i].has_raw_data());
    }
    const std::string data = bytes_of("m.onnx.data");
    EXPECT_EQ(data.size(), 1053696u);
    EXPECT_EQ(data.substr(4096, large.byte_size()),
              std::string(static_cast<const char*>(large.data()), large.byte_size()));
}

// What is read is the same as what is read from one file.
TEST_F(OnnxExternalWeights, ComeBackTheSame) {
    const std::vector<Tensor> constants = {
        random(ElementType::f32, {1000}), random(ElementType::f64, {300}),
        random(ElementType::f16, {600}),  random(ElementType::boolean, {2000}),
        random(ElementType::u4, {4001}),  random(ElementType::i64, {200, 0}),
        random(ElementType::i8, {1024}),  random(ElementType::f32, {3})};
    for (const ElementType weights : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
        const Model model = sums(constants);
        save_model(model, file("m.onnx"), {weights, true});
        save_model(model, file("whole.onnx"), weights);
        EXPECT_TRUE(same_graph(*read("m.onnx"), *read("whole.onnx"))) << to_string(weights);
        const Model again = Core().read_model(file("m.onnx"));
        save_model(again, file("m.onnx"), kExternal);
        save_model(again, file("whole.onnx"));
        EXPECT_TRUE(same_graph(*read("m.onnx"), *read("whole.onnx"))) << to_string(weights);
    }
}

TEST_F(OnnxExternalWeights, OfBodiesLieThereToo) {
    ModelBuilder model, yes, no;
    yes.initializer("w", random(ElementType::f32, {2000})).output("w");
    no.output("z").node("Neg", {"x"}, {"z"});
    model.input("c", ElementType::boolean, {}).input("x", ElementType::f32, {2000}).output("y");
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    const std::string bytes = model.bytes();
    const Model read_model = Core().read_model(bytes.data(), bytes.size());
    save_model(read_model, file("m.onnx"), kExternal);
    save_model(read_model, file("whole.onnx"));
    EXPECT_EQ(fs::file_size(file("m.onnx.data")), 8000u);
    EXPECT_TRUE(same_graph(*read("m.onnx"), *read("whole.onnx")));
}

// A model may replace the files that it was read from.
TEST_F(OnnxExternalWeights, MayReplaceThoseThatAreMapped) {
    const Model model = sums({random(ElementType::f32, {5000})});
    save_model(model, file("m.onnx"), kExternal);
    const std::string before = bytes_of("m.onnx.data");
    const Model again = Core().read_model(file("m.onnx"));
    save_model(again, file("m.onnx"), kExternal);
    EXPECT_EQ(bytes_of("m.onnx.data"), before);
    EXPECT_THAT(files(), ElementsAre("m.onnx", "m.onnx.data"));
}

TEST_F(OnnxExternalWeights, AreNoFileWhereAllAreSmall) {
    save_model(sums({random(ElementType::f32, {3})}), file("m.onnx"), kExternal);
    EXPECT_THAT(files(), ElementsAre("m.onnx"));
}

// The limits of a message, which replace 2 GiB here.
TEST_F(OnnxExternalWeights, AreWrittenWhereTheMessageWouldBeTooLarge) {
    WriteLimits limits;
    limits.most_message = 4000;
    const auto write_to = [&](const Model& model, const std::string& name) {
        onnx::write(*model.graph(), file(name), {}, limits);
    };
    write_to(sums({random(ElementType::f32, {700})}), "small.onnx");
    EXPECT_THAT(files(), ElementsAre("small.onnx"));
    const Model large = sums({random(ElementType::f32, {1001})});
    write_to(large, "large.onnx");
    EXPECT_THAT(files(), ElementsAre("large.onnx", "large.onnx.data", "small.onnx"));
    save_model(large, file("whole.onnx"));
    EXPECT_TRUE(same_graph(*read("large.onnx"), *read("whole.onnx")));
    // The constants fit, and all of the message doesn't.
    write_to(sums({random(ElementType::f32, {980})}), "middle.onnx");
    EXPECT_TRUE(fs::exists(file("middle.onnx.data")));
    limits.least_external = 100'000;
    expect_error<UnsupportedError>([&] { write_to(large, "other.onnx"); },
                                   "other.onnx: the model has 2 GiB or more besides its larger");
    EXPECT_FALSE(fs::exists(file("other.onnx")));
}

TEST_F(OnnxExternalWeights, AreForOnnxAlone) {
    expect_error<ModelError>([&] { save_model(sums({}), file("m.xml"), kExternal); },
                             "m.xml: external data is for ONNX; an IR has its weights beside it");
}

TEST_F(OnnxExternalWeights, LeaveTheOldFilesWhereTheyCantBeWritten) {
    save_model(sums({random(ElementType::f32, {1000})}), file("m.onnx"), kExternal);
    const std::string model = bytes_of("m.onnx");
    const std::string data = bytes_of("m.onnx.data");
    GraphBuilder builder;
    const Output large = builder.constant(random(ElementType::f32, {3000}));
    const Output x = builder.input("x", "3000");
    builder.assign("v", builder.read("v", "[3000]", {x}));
    builder.output("y", builder.make<ops::Binary>("add", ops::BinaryFunction::add, x, large));
    const Model with_variable(builder.graph());
    expect_error<UnsupportedError>([&] { save_model(with_variable, file("m.onnx"), kExternal); },
                                   "ONNX has no variables");
    EXPECT_EQ(bytes_of("m.onnx"), model);
    EXPECT_EQ(bytes_of("m.onnx.data"), data);
    EXPECT_THAT(files(), ElementsAre("m.onnx", "m.onnx.data"));
    fs::create_directory(file("n.onnx.data"));
    const Model other = sums({random(ElementType::f32, {2000})});
    expect_error<ModelError>([&] { save_model(other, file("n.onnx"), kExternal); },
                             "n.onnx.data: can't replace the file: it is a folder");
    EXPECT_THAT(files(), ElementsAre("m.onnx", "m.onnx.data", "n.onnx.data"));
    expect_error<ModelError>([&] { save_model(other, file("none/m.onnx"), kExternal); },
                             "can't create the file: there is no folder");
}

TEST_F(OnnxExternalWeights, RefuseToReplaceAFileThatIsReadOnly) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write to any file";
    const Model model = sums({random(ElementType::f32, {1000})});
    save_model(model, file("m.onnx"), kExternal);
    ASSERT_EQ(::chmod(file("m.onnx.data").c_str(), 0400), 0);
    expect_error<ModelError>([&] { save_model(model, file("m.onnx"), kExternal); },
                             "m.onnx.data: can't replace the file: Permission denied");
    EXPECT_TRUE(same_graph(*read("m.onnx"), *model.graph()));
}

}  // namespace
}  // namespace rondo::onnx::external_weights_test
