// Allocations fail on whatever threads an inference has: it ends in a lack of memory, or gives the
// same bits, and so does the next one.
#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fail_each.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::worker_faults_test {
namespace {

// Large enough for several threads.
RecurrentGraph wide_layer() {
    RecurrentCase layer;
    layer.attributes.hidden_size = 256;
    layer.batch = 4;
    layer.time = 8;
    return make_recurrent<ops::LSTMSequence>(layer);
}

TEST(WorkerFaults, InferencesOfSeveralThreads) {
    const RecurrentGraph made = wide_layer();
    CompiledModel compiled = Core().compile_model(Model(made.graph->clone()), "CPU",
                                                  {{property::kInferenceNumThreads, "4"}});
    const std::size_t count = compiled.outputs().size();
    InferRequest first = compiled.create_infer_request();
    const auto expected = infer_once(first, made.inputs, count);
    const FaultChecks checks{Leaves::plans, Reach::all_threads};
    fail_each(
        "inference on four threads",
        [&] {
            InferRequest request = compiled.create_infer_request();
            expect_same(infer_once(request, made.inputs, count), expected);
        },
        checks);
    fail_each(
        "background inferences",
        [&] {
            InferRequest request = compiled.create_infer_request();
            for (std::size_t i = 0; i < made.inputs.size(); ++i) {
                request.set_input_tensor(i, made.inputs[i]);
            }
            request.start_async();
            request.wait();
            for (std::size_t i = 0; i < count; ++i) {
                expect_same(request.get_output_tensor(i), expected[i]);
            }
        },
        checks);
}

TEST(WorkerFaults, CompilationAndTheFirstInference) {
    const RecurrentGraph made = wide_layer();
    const Model model(made.graph->clone());
    std::vector<Tensor> expected;
    fail_each("compilation and inference on four threads",
              [&] {
                  CompiledModel compiled =
                      Core().compile_model(model, "CPU", {{property::kInferenceNumThreads, "4"}});
                  InferRequest request = compiled.create_infer_request();
                  const auto outputs = infer_once(request, made.inputs, compiled.outputs().size());
                  if (expected.empty()) expected = outputs;
                  expect_same(outputs, expected);
              },
              {Leaves::plans, Reach::all_threads});
}

}  // namespace
}  // namespace rondo::test::worker_faults_test
