#include "rondo/c/model.h"

#include <filesystem>

#include "tests/support/files/encoded_text.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/bindings/c/c_api.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::model_test {
namespace {

std::string shape_of_input(const ModelHandle& model, std::size_t index) {
    rondo_port_list_t* ports = nullptr;
    expect_ok(rondo_model_inputs(model.get(), &ports));
    const std::string shape = rondo_port_list_at(ports, index)->shape;
    rondo_port_list_free(ports);
    return shape;
}

TEST(CModel, ReshapesOrLeavesAsItWas) {
    const auto model = read_detector(make_core());
    const rondo_input_shape_t good{"audio", "1,2..10,16"};
    expect_ok(rondo_model_reshape(model.get(), &good, 1));
    EXPECT_EQ(shape_of_input(model, 0), "[1,2..10,16]");
    const rondo_input_shape_t unknown{"sound", "1,?,16"};
    expect_status(rondo_model_reshape(model.get(), &unknown, 1), RONDO_MODEL_ERROR, "'audio'");
    const rondo_input_shape_t wrong{"audio", "1,5,17"};
    expect_status(rondo_model_reshape(model.get(), &wrong, 1), RONDO_UNSUPPORTED, "[1,5,17]");
    const rondo_input_shape_t no_shape{"audio", "one"};
    expect_status(rondo_model_reshape(model.get(), &no_shape, 1), RONDO_MODEL_ERROR, "one");
    const rondo_input_shape_t twice[] = {good, good};
    expect_status(rondo_model_reshape(model.get(), twice, 2), RONDO_INVALID_ARGUMENT,
                  "'audio' is named twice");
    EXPECT_EQ(shape_of_input(model, 0), "[1,2..10,16]");
}

std::size_t count_inputs(const ModelHandle& model) {
    rondo_port_list_t* ports = nullptr;
    expect_ok(rondo_model_inputs(model.get(), &ports));
    const std::size_t count = rondo_port_list_size(ports);
    rondo_port_list_free(ports);
    return count;
}

TEST(CModel, KeepsStatesThatAreNamedOrFound) {
    const auto core = make_core();
    const auto named = read_detector(core);
    const rondo_state_pair_t wrong{"h", "hidden"};
    expect_status(rondo_model_make_stateful(named.get(), &wrong, 1), RONDO_MODEL_ERROR,
                  "the model has no output 'hidden'");
    const rondo_state_pair_t no_name{"h", nullptr};
    expect_status(rondo_model_make_stateful(named.get(), &no_name, 1), RONDO_INVALID_ARGUMENT,
                  "output");
    EXPECT_EQ(count_inputs(named), 3U);
    const rondo_state_pair_t pairs[] = {{"h", "h_out"}, {"c", "c_out"}};
    expect_ok(rondo_model_make_stateful(named.get(), pairs, 2));
    EXPECT_EQ(count_inputs(named), 1U);
    const auto found = read_detector(core);
    expect_ok(rondo_model_make_stateful(found.get(), nullptr, 0));
    EXPECT_EQ(count_inputs(found), 1U);
    expect_status(rondo_model_make_stateful(found.get(), nullptr, 0), RONDO_MODEL_ERROR,
                  "no state was found");
    const auto low_latency = read_detector(core);
    expect_ok(rondo_model_apply_low_latency(low_latency.get(), 1));
    EXPECT_EQ(count_inputs(low_latency), 3U);
}

TEST(CModel, SaysWhichPortsThereAre) {
    const auto model = read_detector(make_core());
    std::size_t index = 0;
    expect_status(rondo_model_find_input(model.get(), "x", &index), RONDO_MODEL_ERROR, "'audio'");
    expect_status(rondo_model_find_output(model.get(), "x", &index), RONDO_MODEL_ERROR, "'score'");
    const auto compiled = compile_detector();
    expect_status(rondo_compiled_model_find_input(compiled.get(), "x", &index), RONDO_MODEL_ERROR,
                  "'audio'");
    expect_status(rondo_compiled_model_find_output(compiled.get(), "x", &index), RONDO_MODEL_ERROR,
                  "'score'");
}

TEST(CModel, ShowsAnUnknownRank) {
    const auto core = make_core();
    const std::string xml = R"(<?xml version="1.0"?><net name="any" version="11"><layers>
        <layer id="0" name="x" type="Parameter" version="opset1">
        <data element_type="f32" shape="..."/>
        <output><port id="0" precision="FP32"/></output></layer>
        <layer id="1" name="y" type="Tanh" version="opset1">
        <input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer>
        <layer id="2" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
        </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
        <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>)";
    for (const std::string& bytes : {xml, encoded(kByteOrderMark + xml, {2, false})}) {
        rondo_model_t* made = nullptr;
        expect_ok(rondo_core_read_model_from_memory(core.get(), bytes.data(), bytes.size(), nullptr,
                                                    &made));
        const ModelHandle model(made);
        rondo_port_list_t* ports = nullptr;
        expect_ok(rondo_model_inputs(model.get(), &ports));
        EXPECT_EQ(rondo_port_list_at(ports, 0)->rank, -1);
        EXPECT_STREQ(rondo_port_list_at(ports, 0)->shape, "[...]");
        rondo_port_list_free(ports);
    }
}

TEST(CModel, TellsTheRangeOfLengths) {
    const auto core = make_core();
    const std::string path = std::string(RONDO_SOURCE_DIR) + "/tests/data/ir/openvino_lstm.xml";
    rondo_model_t* made = nullptr;
    expect_ok(rondo_core_read_model(core.get(), path.c_str(), nullptr, &made));
    const ModelHandle model(made);
    const rondo_input_shape_t shape{"X", "2,7,4"};
    expect_ok(rondo_model_reshape(model.get(), &shape, 1));
    int known = 0;
    int64_t min = 0;
    int64_t max = 0;
    expect_ok(rondo_model_value_range(model.get(), "L", &known, &min, &max));
    EXPECT_EQ(known, 1);
    EXPECT_EQ(min, 1);
    EXPECT_EQ(max, 7);
}

TEST(CModel, SavesOnnxByTheNameOfTheFile) {
    const auto core = make_core();
    const auto model = read_detector(core);
    const std::string path = temporary_path("saved_by_c.onnx");
    expect_ok(rondo_model_save(model.get(), path.c_str(), 0));
    rondo_model_t* made = nullptr;
    expect_ok(rondo_core_read_model(core.get(), path.c_str(), nullptr, &made));
    const ModelHandle again(made);
    EXPECT_EQ(shape_of_input(again, 0), shape_of_input(model, 0));
}

TEST(CModel, SavesOnnxWithItsDataBesideIt) {
    const auto core = make_core();
    const auto model = read_detector(core);
    const std::string path = temporary_path("external_by_c.onnx");
    rondo_save_options_t options = RONDO_SAVE_OPTIONS_INIT;
    options.external_data = 1;
    options.weights = RONDO_F16;
    expect_ok(rondo_model_save_with(model.get(), path.c_str(), &options));
    EXPECT_GT(std::filesystem::file_size(path + ".data"), 1000u);
    rondo_model_t* made = nullptr;
    expect_ok(rondo_core_read_model(core.get(), path.c_str(), nullptr, &made));
    const ModelHandle again(made);
    EXPECT_EQ(shape_of_input(again, 0), shape_of_input(model, 0));
    const std::string plain = temporary_path("plain_by_c.onnx");
    expect_ok(rondo_model_save_with(model.get(), plain.c_str(), nullptr));
    EXPECT_FALSE(std::filesystem::exists(plain + ".data"));
    options.struct_size = 0;
    expect_status(rondo_model_save_with(model.get(), plain.c_str(), &options),
                  RONDO_INVALID_ARGUMENT, "begin with RONDO_SAVE_OPTIONS_INIT");
}

TEST(CModel, QuantisesLayers) {
    const auto core = make_core();
    const auto model = read_detector(core);
    rondo_quantization_options_t options = RONDO_QUANTIZATION_OPTIONS_INIT;
    rondo_quantization_list_t* layers = nullptr;
    options.format = "w4r4";
    expect_status(rondo_model_quantize(model.get(), &options, &layers), RONDO_MODEL_ERROR,
                  "'w4r4'");
    options.format = "w8r8";
    const char* const names[] = {"nothing"};
    options.keep_count = 1;
    expect_status(rondo_model_quantize(model.get(), &options, &layers), RONDO_INVALID_ARGUMENT,
                  "'keep' is NULL");
    options.keep = names;
    expect_status(rondo_model_quantize(model.get(), &options, &layers), RONDO_MODEL_ERROR,
                  "'nothing'");
    options.struct_size = 0;
    expect_status(rondo_model_quantize(model.get(), &options, &layers), RONDO_INVALID_ARGUMENT,
                  "begin with RONDO_QUANTIZATION_OPTIONS_INIT");
    EXPECT_EQ(layers, nullptr);
    expect_ok(rondo_model_quantize(model.get(), nullptr, &layers));
    ASSERT_EQ(rondo_quantization_list_size(layers), 1u);
    const rondo_layer_quantization_t* layer = rondo_quantization_list_at(layers, 0);
    EXPECT_STREQ(layer->type, "LSTMSequence");
    EXPECT_STREQ(layer->kept, "too small to gain");
    EXPECT_EQ(layer->new_bytes, layer->bytes);
    EXPECT_EQ(rondo_quantization_list_at(layers, 1), nullptr);
    rondo_quantization_list_free(layers);
    rondo_quantization_list_free(nullptr);
    EXPECT_EQ(rondo_quantization_list_size(nullptr), 0u);
}

// As the property KEEP_INPUTS of a core says.
TEST(CModel, KeepsInputsThatHaveInitializers) {
    ModelBuilder built;
    built.input("x", ElementType::f32, {2}).input("h0", ElementType::f32, {2}).output("y");
    built.initializer("h0", tensor_of<float>({2}, {1, 2})).node("Add", {"x", "h0"}, {"y"});
    const std::string bytes = built.bytes();
    const auto core = make_core();
    const auto read = [&] {
        rondo_model_t* made = nullptr;
        expect_ok(rondo_core_read_model_from_memory(core.get(), bytes.data(), bytes.size(), nullptr,
                                                    &made));
        return ModelHandle(made);
    };
    std::size_t index = 7;
    expect_status(rondo_model_find_input(read().get(), "h0", &index), RONDO_MODEL_ERROR,
                  "read the model with KEEP_INPUTS=YES");
    const rondo_property_t keep = {"KEEP_INPUTS", "YES"};
    expect_ok(rondo_core_set_property(core.get(), "CPU", &keep, 1));
    expect_ok(rondo_model_find_input(read().get(), "h0", &index));
    EXPECT_EQ(index, 1u);
}

TEST(CModel, RefusesToSaveWhereItCannot) {
    const auto model = read_detector(make_core());
    expect_status(rondo_model_save(model.get(), "/nowhere/m.xml", 0), RONDO_MODEL_ERROR,
                  "/nowhere/m");
}

}  // namespace
}  // namespace rondo::test::model_test
