// rondo/openvino.hpp: the results of OpenVINO's names. Docs.OpenVinoIdioms compiles the idioms.
#include <gtest/gtest.h>

#include <atomic>
#include <locale>
#include <numeric>
#include <sstream>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/openvino.hpp"
#include "rondo/rondo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::openvino_names_test {
namespace {

ov::Tensor ramp(const ov::Shape& shape) {
    ov::Tensor tensor(ov::element::f32, shape);
    std::iota(tensor.data<float>(), tensor.data<float>() + tensor.get_size(), 1.f);
    return tensor;
}

std::vector<float> values(const ov::Tensor& tensor) {
    return {tensor.data<float>(), tensor.data<float>() + tensor.get_size()};
}

// x [?,2] -> y = x + x
std::shared_ptr<ov::Model> open_model() {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    b.output("y", b.make<ops::Binary>("twice", ops::BinaryFunction::add, x, x));
    return std::make_shared<ov::Model>(Model(b.graph()));
}

// As an OpenVINO program reads it; the numbers are those of Rondo's own API.
TEST(OpenVinoNames, GiveTheResultsOfRondosOwn) {
    ov::Core core;
    auto compiled = core.compile_model(kFixture + ".xml", "CPU", ov::inference_num_threads(1));
    auto request = compiled.create_infer_request();
    const ov::Tensor x = ramp(compiled.input().get_shape());
    request.set_tensor("X", x);
    request.infer();

    auto own = Core().compile_model(kFixture + ".xml").create_infer_request();
    own.set_input_tensor(x.native());
    own.infer();
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        const Tensor expected = own.get_output_tensor(i);
        const ov::Tensor got = request.get_tensor(compiled.output(i));
        EXPECT_EQ(got.get_shape(), expected.shape());
        expect_same(got.native(), expected);
    }
}

// Writes 1234.5 as 1.234,5.
struct GermanNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

class GlobalLocale {
public:
    explicit GlobalLocale(const std::locale& locale) : before_(std::locale::global(locale)) {}
    ~GlobalLocale() { std::locale::global(before_); }
    GlobalLocale(const GlobalLocale&) = delete;
    GlobalLocale& operator=(const GlobalLocale&) = delete;

private:
    std::locale before_;
};

TEST(OpenVinoNames, NumbersAreThoseOfCInAnyLocale) {
    const GlobalLocale german(std::locale(std::locale::classic(), new GermanNumbers));
    ASSERT_EQ((std::ostringstream() << 1234.5).str(), "1.234,5");
    EXPECT_EQ(ov::Any(500000).as<std::string>(), "500000");
    EXPECT_EQ(ov::Any(1234.5).as<std::string>(), "1234.5");
    EXPECT_EQ(ov::Any(std::string("500000")).as<int>(), 500000);
    EXPECT_EQ(ov::Any("1234.5").as<double>(), 1234.5);
    EXPECT_EQ(ov::Any("1000 2000").as<std::vector<int>>(), (std::vector<int>{1000, 2000}));
    expect_error<ModelError>([] { ov::Any("1.000").as<int>(); }, "is not a number of this type");
    ov::Core core;
    core.set_property("CPU", ov::AnyMap{{"MAX_NODES", 500000}});
    EXPECT_EQ(core.get_property("CPU", "MAX_NODES").as<int>(), 500000);
}

TEST(OpenVinoNames, HandlesOfTensorsStayGood) {
    ov::Core core;
    auto request = core.compile_model(open_model()).create_infer_request();
    ov::Tensor x = request.get_input_tensor();
    ov::Tensor y = request.get_output_tensor();
    EXPECT_EQ(x.get_shape(), (ov::Shape{0, 2}));
    EXPECT_EQ(y.get_size(), 0u);
    for (const std::size_t rows : {3u, 1u, 5u}) {
        x.set_shape({rows, 2});
        std::fill_n(x.data<float>(), x.get_size(), static_cast<float>(rows));
        request.infer();
        EXPECT_EQ(y.get_shape(), (ov::Shape{rows, 2}));
        EXPECT_EQ(values(y), std::vector<float>(2 * rows, 2.f * static_cast<float>(rows)));
    }
    x.set_shape({2, 2});
    std::fill_n(x.data<float>(), 4, 9.f);
    request.start_async();
    request.wait();
    EXPECT_EQ(values(y), std::vector<float>(4, 18.f));
}

// Handles stay what they are, so that the program's own is given back.
TEST(OpenVinoNames, AScalarTakesOneElementOfAnyRank) {
    GraphBuilder b;
    const Output s = b.input("s", "[]");
    b.output("y", b.make<ops::Binary>("twice", ops::BinaryFunction::add, s, s));
    const auto model = std::make_shared<ov::Model>(Model(b.graph()));
    auto request = ov::Core().compile_model(model, "CPU").create_infer_request();
    const ov::Tensor one = ramp({1, 1});
    request.set_input_tensor(one);
    request.infer();
    EXPECT_EQ(request.get_output_tensor().get_shape(), ov::Shape{});
    EXPECT_EQ(values(request.get_output_tensor()), std::vector<float>{2});
    EXPECT_EQ(request.get_input_tensor().get_shape(), (ov::Shape{1, 1}));
    request.get_input_tensor().data<float>()[0] = 4;
    request.start_async();
    request.wait();
    EXPECT_EQ(values(request.get_output_tensor()), std::vector<float>{8});
    EXPECT_THROW(request.set_input_tensor(ramp({2})), ov::Exception);
}

TEST(OpenVinoNames, AnInputWithoutElementsWasNotSet) {
    auto request = ov::Core().compile_model(open_model()).create_infer_request();
    request.get_input_tensor();
    expect_error<ModelError>([&] { request.infer(); }, "input 'x'");
    request.wait();  // nothing was started
}

TEST(OpenVinoNames, CallbacksSeeTheOutputs) {
    auto request = ov::Core().compile_model(open_model()).create_infer_request();
    request.set_input_tensor(ramp({1, 2}));
    const ov::Tensor y = request.get_output_tensor();
    std::atomic<float> seen{0};
    std::atomic<int> count{0};
    request.set_callback([&](std::exception_ptr error) {
        if (error == nullptr)
            seen = y.data<float>()[1] + request.get_output_tensor().data<float>()[0];
        ++count;
    });
    request.start_async();
    request.wait();
    EXPECT_EQ(seen, 6.f);
    request.set_callback({});
    request.start_async();
    request.wait();
    EXPECT_EQ(count, 1);
}

TEST(OpenVinoNames, OutputsGoWhereTheProgramWants) {
    auto request = ov::Core().compile_model(open_model()).create_infer_request();
    std::vector<float> memory(4);
    request.set_input_tensor(ramp({2, 2}));
    request.set_output_tensor(ov::Tensor(ov::element::f32, {2, 2}, memory.data()));
    request.infer();
    EXPECT_EQ(memory, (std::vector<float>{2, 4, 6, 8}));
    EXPECT_EQ(request.get_output_tensor().data<float>(), memory.data());
}

TEST(OpenVinoNames, VariablesKeepTheirValues) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[2]"), x);
    b.assign("sum", sum);
    b.output("y", sum);
    auto request = ov::Core()
                       .compile_model(std::make_shared<ov::Model>(Model(b.graph())))
                       .create_infer_request();
    request.set_input_tensor(ramp({2}));
    request.infer();
    request.infer();
    auto state = request.query_state().at(0);
    EXPECT_EQ(state.get_name(), "sum");
    EXPECT_EQ(values(state.get_state()), (std::vector<float>{2, 4}));
    state.set_state(ramp({2}));
    request.infer();
    EXPECT_EQ(values(request.get_output_tensor()), (std::vector<float>{2, 4}));
    state.reset();
    EXPECT_EQ(values(state.get_state()), (std::vector<float>{0, 0}));
}

TEST(OpenVinoNames, PartsOfTensorsShareTheirMemory) {
    ov::Tensor whole = ramp({3, 4});
    ov::Tensor part(whole, {1, 1}, {3, 3});
    EXPECT_EQ(part.get_shape(), (ov::Shape{2, 2}));
    EXPECT_FALSE(part.is_continuous());
    ov::Tensor copy(ov::element::f32, {1});
    part.copy_to(copy);
    EXPECT_EQ(values(copy), (std::vector<float>{6, 7, 10, 11}));
    part.data<float>()[0] = -1;
    EXPECT_EQ(whole.data<float>()[5], -1);
    expect_error<ModelError>([&] { ov::Tensor(whole, {0, 0}, {4, 4}); }, "axis 0");
    expect_error<ModelError>([&] { ov::Tensor(whole, {0}, {1}); }, "coordinates");
    expect_error<ModelError>([&] { part.set_shape({9}); }, "strides");
}

TEST(OpenVinoNames, BorrowedAndConstantMemoryIsRespected) {
    std::vector<float> memory(4, 1.f);
    ov::Tensor borrowed(ov::element::f32, {2, 2}, memory.data());
    borrowed.set_shape({3});
    EXPECT_EQ(borrowed.data<float>(), memory.data());
    expect_error<ModelError>([&] { borrowed.set_shape({5}); }, "borrowed 16 bytes");
    const std::vector<float>& fixed = memory;
    ov::Tensor constant(ov::element::f32, {4}, fixed.data());
    EXPECT_EQ(constant.data<const float>(), memory.data());
    expect_error<ModelError>([&] { constant.data<float>(); }, "constant");
    expect_error<ModelError>([&] { ramp({4}).copy_to(constant); }, "constant");
    expect_error<ModelError>([&] { ov::Tensor().get_shape(); }, "the tensor is empty");
}

TEST(OpenVinoNames, ShapesCanBeOpen) {
    const ov::PartialShape shape{1, -1, {2, 5}, {3, -1}};
    EXPECT_EQ(shape.to_string(), "[1,?,2..5,3..]");
    EXPECT_EQ(shape[3].get_max_length(), -1);
    EXPECT_EQ(shape[-1].get_min_length(), 3);
    EXPECT_EQ(shape.get_min_shape(), (ov::Shape{1, 0, 2, 3}));
    EXPECT_TRUE(shape.relaxes({1, 7, 5, 3}));
    EXPECT_FALSE(shape.compatible({1, 7, 6, 3}));
    EXPECT_EQ(ov::PartialShape("[1,?]"), (ov::PartialShape{1, -1}));
    EXPECT_TRUE(ov::PartialShape().is_static());
    EXPECT_TRUE(ov::PartialShape::dynamic().rank().is_dynamic());
    expect_error<ModelError>([&] { (void)shape[4]; }, "no axis 4");
    expect_error<ModelError>([&] { ov::Dimension().get_length(); }, "");
    expect_error<ModelError>([] { ov::PartialShape::dynamic().size(); }, "");
    expect_error<ModelError>([&] { ov::Dimension(std::string("1,2")); }, "is not one extent");
}

TEST(OpenVinoNames, AnyReadsWhatTheTextFits) {
    EXPECT_EQ(ov::Any(true).as<std::string>(), "YES");
    EXPECT_TRUE(ov::Any("true").as<bool>());
    EXPECT_EQ(ov::Any(-3).as<std::int64_t>(), -3);
    EXPECT_EQ(ov::Any(0.1).as<double>(), 0.1);
    EXPECT_EQ(ov::Any("a b").as<std::vector<std::string>>(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(ov::Any("f16").as<ov::element::Type>(), ov::element::f16);
    EXPECT_TRUE(ov::Any(2).is<int>());
    EXPECT_TRUE(ov::Any("x").is<std::string>());
    EXPECT_TRUE(ov::Any().empty());
    expect_error<ModelError>([] { ov::Any("3x").as<int>(); }, "not a number");
    expect_error<ModelError>([] { ov::Any("-1").as<std::uint32_t>(); }, "not a number");
    expect_error<ModelError>([] { ov::Any("maybe").as<bool>(); }, "expected YES or NO");
    expect_error<ModelError>([] { ov::Any().as<int>(); }, "it is empty");
    expect_error<ModelError>([] { ov::Any("FAST").as<ov::hint::PerformanceMode>(); },
                             "expected one of LATENCY, THROUGHPUT");
}

TEST(OpenVinoNames, PropertiesReachTheDevice) {
    ov::Core core;
    const auto compiled = core.compile_model(
        open_model(), "AUTO", ov::hint::performance_mode("THROUGHPUT"), ov::num_streams(2),
        ov::inference_num_threads(2), ov::hint::execution_mode(ov::hint::ExecutionMode::ACCURACY));
    EXPECT_EQ(compiled.get_property(ov::hint::performance_mode),
              ov::hint::PerformanceMode::THROUGHPUT);
    EXPECT_EQ(compiled.get_property(ov::num_streams), 2);
    EXPECT_EQ(compiled.get_property(ov::optimal_number_of_infer_requests), 2u);
    EXPECT_EQ(compiled.get_property("NUM_STREAMS").as<int>(), 2);
    for (const auto& name : core.get_property("CPU", ov::supported_properties)) {
        EXPECT_EQ(name.is_mutable(), !is_read_only(name)) << name;
    }
    core.set_property("CPU", ov::enable_profiling(true));
    EXPECT_TRUE(core.compile_model(open_model()).get_property(ov::enable_profiling));
    expect_error<ModelError>([&] { ov::hint::num_requests(-1); }, "not a number");
    expect_error<ModelError>([&] { core.set_property(ov::AnyMap{{"WHAT", 1}}); }, "'WHAT'");
    expect_error<UnsupportedError>(
        [&] { core.compile_model(open_model(), ov::hint::inference_precision(ov::element::f16)); },
        "INFERENCE_PRECISION_HINT");
}

TEST(OpenVinoNames, ModelsTakeNewShapesByAllForms) {
    const auto model = open_model();
    model->reshape(ov::PartialShape{4, 2});
    EXPECT_EQ(model->output().get_shape(), (ov::Shape{4, 2}));
    EXPECT_FALSE(model->is_dynamic());
    model->reshape({{"x", {5, 2}}});
    EXPECT_EQ(model->get_output_shape(0), (ov::Shape{5, 2}));
    model->reshape(std::map<std::size_t, ov::PartialShape>{{0, {6, 2}}});
    EXPECT_EQ(model->output("y").get_shape(), (ov::Shape{6, 2}));
    model->reshape(std::map<ov::Output<ov::Node>, ov::PartialShape>{{model->input(), {-1, 2}}});
    EXPECT_TRUE(model->is_dynamic());
    expect_error<ModelError>([&] { model->output().get_shape(); }, "is open: [?,2]");
    expect_error<ModelError>([&] { model->input(1); }, "input 1 doesn't exist");
    expect_error<ModelError>([&] { model->input("z"); }, "no input 'z'; there are: 'x'");
    ov::set_batch(model, 3);
    EXPECT_EQ(model->input().get_shape(), (ov::Shape{3, 2}));
}

TEST(OpenVinoNames, ModelsDescribeThemselves) {
    const auto model = open_model();
    EXPECT_EQ(model->input(), model->inputs()[0]);
    EXPECT_NE(model->input(), model->output());
    EXPECT_EQ(model->input().get_node_shared_ptr()->get_type_name(), std::string("Parameter"));
    EXPECT_EQ(model->get_ops().size(), 3u);
    const auto add = model->get_ordered_ops()[1];
    EXPECT_EQ(add->get_friendly_name(), "twice");
    EXPECT_EQ(add->get_input_size(), 2u);
    EXPECT_EQ(add->output(0).get_node_shared_ptr(), add);
    expect_error<ModelError>([&] { add->output(1); }, "has 1 outputs; got the index 1");
    EXPECT_EQ(ov::class_name_of("ReLU"), "Relu");
    NodeInfo weights;
    weights.type = "Const";
    EXPECT_EQ(ov::Node(weights).get_type_name(), std::string("Constant"));
    model->set_friendly_name("doubling");
    model->set_rt_info(2, "a", "b");
    TemporaryFolder folder;
    ov::serialize(model, folder / "m.xml");
    const auto again = ov::Core().read_model(folder / "m.xml");
    EXPECT_EQ(again->get_friendly_name(), "doubling");
    EXPECT_EQ(again->get_rt_info<int>("a", "b"), 2);
    EXPECT_EQ(again->get_rt_info().at("a/b").as<std::string>(), "2");
    EXPECT_FALSE(again->has_rt_info("a"));
    expect_error<ModelError>([&] { again->get_rt_info<int>("c"); }, "no 'c'");
}

TEST(OpenVinoNames, ModelsBecomeStateful) {
    const auto model = ov::Core().read_model(kFixture + ".xml");
    ov::pass::Manager manager;
    manager.register_pass<ov::pass::LowLatency2>();
    manager.run_passes(model);
    EXPECT_EQ(ov::Core().compile_model(model).create_infer_request().query_state().size(), 2u);
}

TEST(OpenVinoNames, ErrorsAreOpenVinosAndTheStandardLibrarys) {
    EXPECT_THROW(ov::Core().read_model("nowhere.xml"), ov::Exception);
    EXPECT_THROW(ov::Core().read_model("nowhere.xml"), std::exception);
    EXPECT_THROW(ov::PartialShape("what"), ov::Exception);
    EXPECT_THROW(ov::element::Type("f31"), ov::Exception);
    EXPECT_EQ(ov::element::i4.bitwidth(), 4u);
    EXPECT_EQ(ov::element::u2.bitwidth(), 2u);
    EXPECT_EQ(ov::element::f8e4m3.bitwidth(), 8u);
}

TEST(OpenVinoNames, EmptyHandlesAreErrors) {
    ov::Core core;
    expect_error<ModelError>([&] { core.compile_model(std::shared_ptr<ov::Model>()); },
                             "the model is empty");
    expect_error<ModelError>([] { ov::CompiledModel().create_infer_request(); },
                             "the compiled model is empty");
    expect_error<ModelError>([] { ov::InferRequest().infer(); }, "the request is empty");
    expect_error<ModelError>([] { ov::Output<const ov::Node>().get_shape(); }, "the port is empty");
    expect_error<ModelError>([] { ov::pass::Manager().run_passes(nullptr); }, "the model is empty");
}

TEST(OpenVinoNames, SendTheLogToACallback) {
    ov::Core core;
    std::vector<std::string> lines;
    ov::util::set_log_callback([&](std::string_view line) { lines.emplace_back(line); });
    core.set_property("CPU", ov::log::level(ov::log::Level::INFO));
    EXPECT_EQ(core.get_property("CPU", ov::log::level), ov::log::Level::INFO);
    core.compile_model(kFixture + ".xml", "CPU");
    EXPECT_FALSE(lines.empty());
    const auto count = lines.size();
    ov::util::set_log_callback({});  // drops them
    core.compile_model(kFixture + ".xml", "CPU");
    core.set_property("CPU", ov::log::level(ov::log::Level::NO));
    ov::util::reset_log_callback();
    EXPECT_EQ(lines.size(), count);
}

}  // namespace
}  // namespace rondo::test::openvino_names_test
