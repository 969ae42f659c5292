// Large raw_data, which is read from the file itself.
#include "frontend/onnx/messages/large_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/graph/printer.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/frontend.hpp"
#include "frontend/onnx/messages/external_data.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/changed_files.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::large_data_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ElementType f32 = ElementType::f32;
const PartialShape kAnyRows{Dimension(), 64};

Tensor large(ElementType type = f32, const Shape& shape = {64, 512}) {
    Rng rng(7);
    return random_tensor(type, shape, rng);
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

Model read_bytes(const std::string& bytes) { return Core().read_model(bytes.data(), bytes.size()); }

// A file with a model; its elements may lie at any offset, which the name of a node changes.
class LargeData : public testing::Test {
protected:
    const std::string& save(const std::string& bytes) {
        write(path, bytes);
        return path;
    }
    std::string references() const { return without_large_data(source_of(path)); }

    // As it is read from memory, where all data is in the message.
    void expect_same_as_in_memory(const ModelBuilder& model) {
        const Model from_memory = read_bytes(model.bytes());
        const Model from_file = Core().read_model(save(model.bytes()));
        EXPECT_TRUE(has_references(references()));
        EXPECT_TRUE(same_graph(*from_file.graph(), *from_memory.graph()));
    }

    const TemporaryFolder folder;
    const std::string path = folder / "model.onnx";
};

ModelBuilder product(const std::string& name, const Tensor& weights) {
    ModelBuilder model;
    model.input("x", f32, kAnyRows).output("y");
    model.initializer("w" + name, weights);
    model.node("MatMul", {"x", "w" + name}, {"y"});
    return model;
}

TEST_F(LargeData, IsReadAtEveryOffset) {
    for (const char* name : {"", "1", "12", "123", "1234", "12345"}) {
        expect_same_as_in_memory(product(name, large()));
    }
}

TEST_F(LargeData, IsReadInEveryType) {
    for (const ElementType type :
         {ElementType::f64, ElementType::f16, ElementType::bf16, ElementType::i8, ElementType::u8,
          ElementType::i16, ElementType::u16, ElementType::i32, ElementType::u32, ElementType::i64,
          ElementType::u64}) {
        ModelBuilder model;
        model.input("x", type, kAnyRows).output("y");
        model.initializer("w", large(type, {64, 1024}));
        model.node("MatMul", {"x", "w"}, {"y"});
        if (size_of(type) > 1 && type != ElementType::i16 && type != ElementType::u16) {
            expect_same_as_in_memory(model);
        } else {
            save(model.bytes());
            EXPECT_TRUE(has_references(references())) << to_string(type);
        }
    }
}

TEST_F(LargeData, IsFoundInBodiesAttributesAndFunctions) {
    ModelBuilder yes, no, model;
    yes.initializer("a", large()).node("MatMul", {"x", "a"}, {"u"});
    yes.output("u");
    no.node("Constant", {}, {"b"}).with("value", large());
    no.node("MatMul", {"x", "b"}, {"v"});
    no.output("v");
    model.input("x", f32, kAnyRows).input("flag", ElementType::boolean, Shape{}).output("y");
    model.node("If", {"flag"}, {"i"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    model.node("Times", {"i"}, {"y"}).domain("own");
    auto& function = *model.message().add_functions();
    function.set_name("Times");
    function.set_domain("own");
    function.add_input("p");
    function.add_output("q");
    ModelBuilder inside;
    inside.node("Constant", {}, {"c"}).with("value", large(f32, {512, 512}));
    inside.node("MatMul", {"p", "c"}, {"q"});
    *function.mutable_node() = inside.graph().node();
    auto& opset = *function.add_opset_import();
    opset.set_version(17);
    auto& own = *model.message().add_opset_import();
    own.set_domain("own");
    own.set_version(1);
    expect_same_as_in_memory(model);
    EXPECT_LT(references().size(), 4096u);
}

TEST_F(LargeData, StaysWhereItIsSmallOrNotPlain) {
    save(product("", large(f32, {64, 8})).bytes());
    EXPECT_EQ(references(), "");
    ModelBuilder twice = product("", large());
    twice.graph().mutable_initializer(0)->add_float_data(1);
    save(twice.bytes());
    EXPECT_EQ(references(), "");
    expect_error<ModelError>([&] { Core().read_model(path); }, "it has its elements twice");
    ModelBuilder short_one = product("", large());
    short_one.graph().mutable_initializer(0)->set_dims(0, 65);
    save(short_one.bytes());
    expect_error<ModelError>([&] { Core().read_model(path); }, "but raw_data holds 131072");
}

// Each is refused as it was, whatever is cut off.
TEST_F(LargeData, BrokenFilesAreRefused) {
    const std::string bytes = product("", large()).bytes();
    for (std::size_t size = 1; size < bytes.size(); size += size < 300 ? 1 : 4099) {
        save(bytes.substr(0, size));
        EXPECT_THROW(Core().read_model(path), ModelError) << size;
    }
    for (std::size_t at = 0; at < 200; ++at) {
        for (const int change : {1, 0x80, 0xff}) {
            std::string wrong = bytes;
            wrong[at] = static_cast<char>(wrong[at] ^ change);
            save(wrong);
            try {
                Core().read_model(path);
            } catch (const Error&) {
            }
        }
    }
}

// Only the reader itself refers to the bytes of the model.
TEST_F(LargeData, ReferencesInFilesReadNothingElse) {
    ModelBuilder model = product("", large());
    auto& tensor = *model.graph().mutable_initializer(0);
    tensor.clear_raw_data();
    tensor.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] :
         {std::pair<std::string, std::string>{"location", std::string(kOwnFile)},
          {"offset", "0"},
          {"length", "131072"}}) {
        auto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
    expect_error<ModelError>([&] { Core().read_model(save(model.bytes())); },
                             "lie past the end of 'the model'");
    expect_error<ModelError>([&] { read_bytes(model.bytes()); }, "lie past the end of 'the model'");
}

std::vector<Tensor> constants_of(const Graph& graph) {
    std::vector<Tensor> values;
    for (const auto& node : graph.ordered_nodes()) {
        if (const auto* constant = as_op<ops::Constant>(*node)) values.push_back(constant->value());
    }
    return values;
}

TEST_F(LargeData, IsReadAgainFromTheFile) {
    const std::string bytes = product("", large()).bytes();
    const Model model = Core().read_model(save(bytes));
    const Tensor first = constants_of(*model.graph()).at(0);
    const ReloadableTensor kept(first);
    ASSERT_TRUE(kept.is_in_file());
    const Tensor shared = kept.load();
    EXPECT_EQ(shared.data(), first.data());
    const ReloadableTensor alone = [&] {
        const Model other = Core().read_model(path);
        return ReloadableTensor(constants_of(*other.graph()).at(0));
    }();
    const Tensor again = alone.load();
    EXPECT_NE(first.data(), again.data());
    expect_same(again, first);
    write(folder / "other", "another file");
    std::filesystem::rename(folder / "other", path);
    expect_same(alone.load(), first);
    std::filesystem::remove(path);
    expect_same(alone.load(), first);
}

TEST_F(LargeData, IsNotReadAgainFromAFileThatWasChangedInPlace) {
    const std::string bytes = product("", large()).bytes();
    save(bytes);
    const ReloadableTensor kept = [&] {
        const Model model = Core().read_model(path);
        return ReloadableTensor(constants_of(*model.graph()).at(0));
    }();
    write_in_place(path, bytes.size() / 2, "other");
    expect_error<ModelError>([&] { kept.load(); }, "was changed in place");
}

// Reading again for other extents needs the tensors of bodies, too.
TEST_F(LargeData, ModelsAreReshapedWithoutTheFile) {
    ModelBuilder model, yes, no;
    model.input("x", f32, {4, 64}).output("z");
    model.initializer("w", large());
    model.node("MatMul", {"x", "w"}, {"y"});
    model.node("Shape", {"x"}, {"s"});
    model.initializer("zero", scalar_of<std::int64_t>(0));
    model.node("Gather", {"s", "zero"}, {"n"});
    model.node("Cast", {"n"}, {"f"}).with("to", std::int64_t{1});
    model.node("Constant", {}, {"c"}).with("value", large(f32, {512, 64}));
    model.node("Mul", {"y", "f"}, {"t"});
    model.node("MatMul", {"t", "c"}, {"z"});
    Model reshaped = Core().read_model(save(model.bytes()));
    std::filesystem::remove(path);
    reshaped.reshape({{"x", PartialShape{7, 64}}});
    model.graph()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_value(7);
    EXPECT_TRUE(same_graph(*reshaped.graph(), *read_bytes(model.bytes()).graph()));
}

}  // namespace
}  // namespace rondo::onnx::large_data_test
