#include "tools/rondo/inputs/inputs.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::tool::inputs_test {
namespace {

using test::expect_error;
namespace fs = std::filesystem;

std::string npy_of(const std::string& name, const Tensor& tensor) {
    const std::string path = test::temporary_path(name);
    write_npy(path, tensor);
    return path;
}

TEST(Inputs, AreReadByName) {
    const Model model(test::identity_graph());
    const std::string path = npy_of("x.npy", test::tensor_of<float>({1, 2}, {3, 4}));
    EXPECT_EQ(read_inputs({"x=" + path}, model).at("x").data<float>()[1], 4);
    EXPECT_EQ(read_inputs({path}, model).at("x").data<float>()[1], 4);
}

// The longest name before a '=' is taken, whatever the inputs' order.
TEST(Inputs, MayHaveNamesThatStartAlike) {
    const std::string one = npy_of("one.npy", test::tensor_of<float>({1}, {1}));
    const std::string two = npy_of("two.npy", test::tensor_of<float>({1}, {2}));
    for (const auto& [longer, shorter] : {std::pair("s:0", "s"), std::pair("a=b", "a")}) {
        for (const bool swapped : {false, true}) {
            test::GraphBuilder b;
            for (const char* name : {swapped ? shorter : longer, swapped ? longer : shorter}) {
                b.output(std::string("out_") + name, b.input(name, "[1]"));
            }
            const Model model(b.graph());
            const auto read = read_inputs({longer + ("=" + one), shorter + ("=" + two)}, model);
            EXPECT_EQ(read.at(model.input(longer).any_name()).data<float>()[0], 1) << longer;
            EXPECT_EQ(read.at(model.input(shorter).any_name()).data<float>()[0], 2) << longer;
        }
    }
}

TEST(Inputs, ThatDoNotFitAreRefused) {
    const Model model(test::identity_graph());
    const std::string wide = npy_of("wide.npy", Tensor(ElementType::f32, {1, 3}));
    const std::string good = npy_of("good.npy", Tensor(ElementType::f32, {1, 2}));
    expect_error<ModelError>([&] { read_inputs({"x=" + wide}, model); },
                             "holds f32[1,3]; expected f32[?,2]");
    expect_error<ModelError>([&] { read_inputs({"z=" + good}, model); },
                             "no input 'z'; there are: 'x'");
    expect_error<ModelError>([&] { read_inputs({"x=" + good, good}, model); }, "given twice");
    expect_error<ModelError>([&] { require_all({}, model); }, "missing inputs: 'x' f32[?,2]");
    expect_error<ModelError>([&] { complete_shapes(model, {}); },
                             "shapes of these inputs are open: 'x' f32[?,2]");
}

TEST(Inputs, FilesThatAreMissingOrOfManyArraysAreNamed) {
    const Model model(test::identity_graph());
    expect_error<ModelError>([&] { read_inputs({"x="}, model); },
                             "-i x=: the file is missing; write -i x=file.npy");
    expect_error<ModelError>([&] { read_inputs({"x=all.npz"}, model); }, "write -i all.npz");
    for (const std::string path : {"/tmp", "x=/tmp", "x=/dev/zero"}) {
        expect_error<ModelError>([&] { read_inputs({path}, model); }, "not a regular file");
    }
    const std::string folder = test::temporary_path("folder.npz");
    fs::create_directories(folder);
    expect_error<ModelError>([&] { read_inputs({folder}, model); }, "not a regular file");
}

TEST(Inputs, MadeUpOnesAreSeeded) {
    const Model model(test::identity_graph());
    std::mt19937 first(5);
    std::mt19937 second(5);
    const auto port = model.input("x");
    const Tensor a = make_input(model, port, {3, 2}, first);
    test::expect_near(a, make_input(model, port, {3, 2}, second), 0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(std::abs(a.data<float>()[i]), 1.0f);
}

}  // namespace
}  // namespace rondo::tool::inputs_test
