// Which nodes of a model can be read, and weights that the caller has in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::query_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<NodeSupport> rows_of(const ModelBuilder& model) {
    const std::string bytes = model.bytes();
    return Core().query_model(bytes.data(), bytes.size());
}

std::vector<bool> support_of(const ModelBuilder& model) {
    std::vector<bool> all;
    for (const NodeSupport& row : rows_of(model)) all.push_back(row.supported);
    return all;
}

// What shape inference leaves in a file.
void declare(ModelBuilder& model, const std::string& name, ElementType type,
             const std::vector<std::int64_t>& shape) {
    auto& info = *model.graph().add_value_info();
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(test::to_onnx(type));
    for (const std::int64_t extent : shape)
        tensor.mutable_shape()->add_dim()->set_dim_value(extent);
}

TEST(OnnxQuery, HasARowForEachNodeInTheFilesOrder) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("z");
    model.node("Tanh", {"y"}, {"z"}, "second");
    model.node("Relu", {"x"}, {"y"}, "");
    const auto rows = rows_of(model);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "second");
    EXPECT_EQ(rows[0].op_type, "Tanh");
    EXPECT_EQ(rows[1].name, "Relu_1");
    EXPECT_TRUE(rows[0].supported && rows[1].supported);
    EXPECT_EQ(rows[0].reason, "");
}

TEST(OnnxQuery, SaysWhy) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("c").output("d");
    model.node("Strange", {"x"}, {"a"});
    model.node("Gelu", {"x"}, {"b"}, "own").domain("org.example");
    model.node("Relu", {"a"}, {"c"}, "behind");
    model.node("Constant", {}, {"d"}, "text").with("value_string", "abc");
    const auto rows = rows_of(model);
    EXPECT_THAT(support_of(model), ElementsAre(false, false, false, false));
    EXPECT_EQ(rows[0].reason, "unsupported operator Strange (opset 17) (did you mean 'Range'?)");
    EXPECT_EQ(rows[1].op_type, "org.example.Gelu");
    EXPECT_THAT(rows[1].reason, HasSubstr("its domain has no opset_import"));
    EXPECT_THAT(rows[2].reason, HasSubstr("it reads 'a', of a node that isn't supported"));
    EXPECT_THAT(rows[3].reason, HasSubstr("node 'text' (Constant): "));
}

TEST(OnnxQuery, DeclaredTensorsStandInForWhatIsntSupported) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("c");
    model.node("Strange", {"x"}, {"a"});
    model.node("Relu", {"a"}, {"b"});
    model.node("Reshape", {"b", "shape"}, {"c"});
    model.node("Strange", {"x"}, {"shape"}, "shape");
    declare(model, "a", ElementType::f32, {2});
    declare(model, "shape", ElementType::i64, {1});
    EXPECT_THAT(support_of(model), ElementsAre(false, true, true, false));
}

TEST(OnnxQuery, AWrongDeclarationIsNone) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("b").output("c");
    model.node("Strange", {"x"}, {"a"});
    model.node("Relu", {"a"}, {"b"});
    model.node("Relu", {"x"}, {"c"});
    declare(model, "a", ElementType::f32, {-5});
    EXPECT_THAT(support_of(model), ElementsAre(false, false, true));
}

// A node that is wrong doesn't spoil the others.
TEST(OnnxQuery, ANodeThatIsWrongIsOneRow) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2, 3}).output("a").output("b");
    model.node("Reshape", {"x", "shape"}, {"a"}, "bad");
    model.initializer("shape", test::tensor_of<std::int64_t>({1}, {7}));
    model.node("Relu", {"x"}, {"b"}, "good");
    const auto rows = rows_of(model);
    EXPECT_THAT(support_of(model), ElementsAre(false, true));
    EXPECT_THAT(rows[0].reason, HasSubstr("node 'bad' (Reshape)"));
}

TEST(OnnxQuery, BodiesBelongToTheirNode) {
    ModelBuilder yes, no, model;
    yes.node("Strange", {"x"}, {"a"});
    yes.output("a");
    no.node("Relu", {"x"}, {"b"}, "fine");
    no.output("b");
    model.input("c", ElementType::boolean, {}).input("x", ElementType::f32, {1}).output("z");
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    model.node("Relu", {"x"}, {"z"});
    EXPECT_THAT(support_of(model), ElementsAre(false, true));
    EXPECT_THAT(rows_of(model)[0].reason, HasSubstr("Strange"));
}

TEST(OnnxQuery, TensorsThatCantBeReadAreNamed) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("y");
    auto* text = model.graph().add_initializer();
    text->set_name("s");
    text->set_data_type(rondo_onnx::TensorProto::STRING);
    model.node("Add", {"x", "s"}, {"y"});
    EXPECT_THAT(rows_of(model)[0].reason, HasSubstr("it reads 's': tensor 's'"));
}

TEST(OnnxQuery, AllNodesOfAModelThatIsReadAreSupported) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("y");
    model.node("Unused", {"x"}, {"u"});
    model.node("Relu", {"x"}, {"y"});
    EXPECT_THAT(support_of(model), ElementsAre(false, true));
    const std::string broken = "no model";
    expect_error<ModelError>([&] { Core().query_model(broken.data(), broken.size()); },
                             "not a model in a known format");
}

class OnnxExternal : public ::testing::Test {
protected:
    // y = x + w, where w lies at `offset` of a file.
    OnnxExternal() {
        model_.input("x", ElementType::f32, {2}).output("y").node("Add", {"x", "w"}, {"y"});
        auto& tensor = *model_.graph().add_initializer();
        tensor.set_name("w");
        tensor.set_data_type(rondo_onnx::TensorProto::FLOAT);
        tensor.add_dims(2);
        tensor.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
        for (const auto& [key, value] : {std::pair("location", "weights"), std::pair("offset", "4"),
                                         std::pair("length", "8")}) {
            auto& entry = *tensor.add_external_data();
            entry.set_key(key);
            entry.set_value(value);
        }
        bytes_ = model_.bytes();
    }
    Model read(const std::map<std::string, Tensor>& files) const {
        return Core().read_model(bytes_.data(), bytes_.size(), ExternalData(files));
    }
    static float first_of(const Model& model) {
        auto request = Core().compile_model(model).create_infer_request();
        request.set_input_tensor(test::tensor_of<float>({2}, {1, 2}));
        request.infer();
        return request.get_output_tensor().data<float>()[0];
    }

    ModelBuilder model_;
    std::string bytes_;
};

TEST_F(OnnxExternal, WeightsAreReadFromTheCallersMemory) {
    auto numbers = std::make_shared<std::vector<float>>(std::vector<float>{9, 10, 20});
    const std::weak_ptr<std::vector<float>> alive = numbers;
    Model model = read({{"weights", Tensor(ElementType::u8, {12}, numbers->data(),
                                           std::shared_ptr<const void>(numbers))}});
    (*numbers)[1] = 100;  // no copy
    numbers.reset();
    EXPECT_FALSE(alive.expired());
    EXPECT_EQ(first_of(model), 101);
    EXPECT_EQ(first_of(model.clone()), 101);
    model = {};
    EXPECT_TRUE(alive.expired());
}

TEST(OnnxExternalWeight, IsFreedOnceItIsPackedIfItsSourceIsReleased) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), 200}).output("y");
    model.node("MatMul", {"x", "w"}, {"y"});
    auto& tensor = *model.graph().add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(rondo_onnx::TensorProto::FLOAT);
    tensor.add_dims(200);
    tensor.add_dims(200);
    tensor.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
    auto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value("weights");
    const std::string bytes = model.bytes();
    auto numbers = std::make_shared<std::vector<float>>(200 * 200, 2.0F);
    const std::weak_ptr<std::vector<float>> alive = numbers;
    CompiledModel compiled = Core().compile_model(Core().read_model(
        bytes.data(), bytes.size(),
        ExternalData({{"weights", Tensor(ElementType::f32, {200, 200}, numbers->data(),
                                         std::shared_ptr<const void>(numbers))}})));
    numbers.reset();
    EXPECT_FALSE(alive.expired());
    EXPECT_NO_THROW(compiled.runtime_model());
    compiled.release_source();
    EXPECT_TRUE(alive.expired());
    compiled.release_source();  // again is no error
    auto request = compiled.create_infer_request();
    request.set_input_tensor(Tensor(ElementType::f32, {1, 200}));
    request.get_input_tensor().data<float>()[7] = 3;
    request.infer();
    EXPECT_EQ(request.get_output_tensor().data<float>()[199], 6);
    expect_error<ModelError>([&] { compiled.runtime_model(); }, "release_source() was called");
}

TEST_F(OnnxExternal, ATensorOfAnyTypeIsAFile) {
    EXPECT_EQ(first_of(read({{"weights", test::tensor_of<float>({3, 1}, {0, 5, 6})}})), 6);
}

TEST_F(OnnxExternal, NamesWhatIsMissing) {
    expect_error<ModelError>([&] { read({}); }, "read it from its file");
    expect_error<ModelError>(
        [&] {
            read({{"others", Tensor(ElementType::u8, {12})}});
        },
        "was read from memory without that file");
    expect_error<ModelError>(
        [&] {
            read({{"weights", Tensor(ElementType::u8, {11})}});
        },
        "lie past the end of 'weights', which has 11");
    expect_error<ModelError>(
        [&] {
            read({{"weights", Tensor()}});
        },
        "the external data 'weights' is an empty tensor");
}

TEST_F(OnnxExternal, AQueryTakesThemToo) {
    const auto rows =
        Core().query_model(bytes_.data(), bytes_.size(),
                           ExternalData({{"weights", test::tensor_of<float>({3}, {0, 5, 6})}}));
    EXPECT_TRUE(rows.at(0).supported) << rows.at(0).reason;
}

}  // namespace
}  // namespace rondo::onnx::query_test
