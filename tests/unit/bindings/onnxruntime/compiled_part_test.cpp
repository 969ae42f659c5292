// Parts and the nodes that run them.
#include "bindings/onnxruntime/src/compiled_part.hpp"

#include <gmock/gmock.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/bindings/onnxruntime/models.hpp"
#include "tests/unit/bindings/onnxruntime/stub/host_api.hpp"

namespace rondo::test::onnxruntime_compiled_part_test {
namespace {

TEST(OnnxruntimeCompiledPart, NeedsAPortOfTheNodeForEachOfItsOwn) {
    ort::host_state() = {};
    const ort::Host host(ort::host_api_base());
    const auto bytes = lstm_model().bytes();
    const Core core;
    const auto model = core.compile_model(core.read_model(bytes.data(), bytes.size()));
    const auto make = [&](const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
        const ort::FusedNode node(host, ort::make_part(model, {"x"}, {"out"}), nullptr, inputs,
                                  outputs);
        EXPECT_THAT(node.sources(), testing::ElementsAre(1));
    };
    make({"more", "x"}, {"out"});
    expect_error<InternalError>([&] { make({"other"}, {"out"}); },
                                "onnxruntime's node has no port for 'x'");
    expect_error<InternalError>(
        [&] {
            make({"more", "x"}, {});
        },
        "onnxruntime's node has no port for 'out'");
    expect_error<ModelError>([&] { ort::make_part(model, {"y"}, {"out"}); }, "has no port 'y'");
}

}  // namespace
}  // namespace rondo::test::onnxruntime_compiled_part_test
