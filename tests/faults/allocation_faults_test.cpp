// Every allocation of reading, compiling and running fails once: each call ends in a lack of
// memory, nothing leaks, and the same objects work afterwards.
#include <unistd.h>

#include <filesystem>

#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fail_each.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::allocation_faults_test {
namespace {

class AllocationFaults : public ::testing::TestWithParam<FaultModel> {
protected:
    CompiledModel compile(const std::string& device = "CPU") const {
        return core.compile_model(model, device, kAlone);
    }

    // After each fault: what was computed beside it is right.
    bool got_is(const std::vector<Tensor>& expected) {
        if (!got.empty()) expect_same(got, expected);
        got.clear();
        return !HasFailure();
    }

    std::vector<Tensor> got;  // of the inference that a fault is in, where it ends
    const Properties kAlone{{property::kInferenceNumThreads, "1"}};
    Core core;
    const std::string path = path_of(GetParam());
    Model model = core.read_model(path);
};

TEST_P(AllocationFaults, Read) {
    fail_each("read", [&] { core.read_model(path); });
    EXPECT_EQ(core.read_model(path).to_text(), model.to_text());
}

TEST_P(AllocationFaults, Compile) {
    fail_each("compile", [&] { compile(); });
    fail_each("compile for REFERENCE", [&] { core.compile_model(model, "REFERENCE"); });
}

TEST_P(AllocationFaults, FirstInference) {
    CompiledModel compiled = compile();
    const auto inputs = inputs_of(compiled.inputs(), 3);
    const std::size_t count = compiled.outputs().size();
    InferRequest first = compiled.create_infer_request();
    const auto expected = infer_once(first, inputs, count);
    fail_each("first inference",
              [&] {
                  InferRequest request = compiled.create_infer_request();
                  got.clear();
                  got = infer_once(request, inputs, count);
              },
              {.is_as_before = [&] { return got_is(expected); }});
    InferRequest last = compiled.create_infer_request();
    expect_same(infer_once(last, inputs, count), expected);
}

// One request lives through all faults. Its shapes change each time, so that there is something to
// allocate.
TEST_P(AllocationFaults, LaterInferences) {
    CompiledModel compiled = compile();
    InferRequest request = compiled.create_infer_request();
    const std::size_t count = compiled.outputs().size();
    constexpr std::int64_t kShapes = 40;  // more than plans are kept for
    std::vector<std::vector<Tensor>> inputs;
    std::vector<std::vector<Tensor>> outputs;
    for (std::int64_t i = 0; i < kShapes; ++i) {
        inputs.push_back(inputs_of(compiled.inputs(), 1 + i));
        request.reset_state();
        outputs.push_back(infer_once(request, inputs.back(), count));
    }
    const auto run_all = [&] {
        for (const auto& each : inputs) {
            request.reset_state();
            infer_once(request, each, count);
        }
        return live_allocations();
    };
    run_all();
    const long before = run_all();
    std::size_t last = 0;
    fail_each("later inference",
              [&] {
                  last = (last + 1) % inputs.size();
                  request.reset_state();
                  got.clear();
                  got = infer_once(request, inputs[last], count);
              },
              {.leaves = Leaves::plans, .is_as_before = [&] { return got_is(outputs[last]); }});
    std::vector<Tensor>().swap(got);
    EXPECT_LE(run_all(), before);
    request.reset_state();
    InferRequest fresh = compiled.create_infer_request();
    expect_same(infer_once(request, inputs[2], count), infer_once(fresh, inputs[2], count));
}

TEST_P(AllocationFaults, StartAsync) {
    CompiledModel compiled = compile();
    InferRequest request = compiled.create_infer_request();
    const auto inputs = inputs_of(compiled.inputs(), 3);
    const auto expected = infer_once(request, inputs, compiled.outputs().size());
    bool has_ended = false;
    const auto is_right = [&] {
        for (std::size_t i = 0; has_ended && i < expected.size(); ++i) {
            got.push_back(request.get_output_tensor(i));
        }
        has_ended = false;
        return got_is(expected);
    };
    fail_each("start_async",
              [&] {
                  has_ended = false;
                  request.reset_state();
                  request.start_async();
                  request.wait();
                  has_ended = true;
              },
              // The thread's own memory comes and goes when it likes.
              {.leaves = Leaves::plans, .is_as_before = is_right});
    request.reset_state();
    expect_same(infer_once(request, inputs, compiled.outputs().size()), expected);
}

// What a fault leaves of a file is the old one or a complete new one.
TEST_P(AllocationFaults, Write) {
    const TemporaryFolder folder;
    for (const char* ending : {".xml", ".onnx"}) {
        const std::string file = folder / std::string("m") + ending;
        try {
            save_model(model, file, false);
        } catch (const UnsupportedError&) {
            continue;  // ONNX has no variables
        }
        const std::string expected = bytes_of(file);
        fail_each(std::string("write ") + ending, [&] { save_model(model, file, false); },
                  {.is_as_before = [&] { return bytes_of(file) == expected; }});
    }
}

TEST_P(AllocationFaults, Cache) {
    const TemporaryFolder folder;
    Properties cached = kAlone;
    cached[property::kCacheDir] = folder.path();
    const auto inputs = inputs_of(model.inputs(), 3);
    const auto run = [&] {
        CompiledModel compiled = core.compile_model(path, "CPU", cached);
        InferRequest request = compiled.create_infer_request();
        return infer_once(request, inputs, compiled.outputs().size());
    };
    const auto expected = run();
    fail_each("from the cache",
              [&] {
                  got.clear();
                  got = run();
              },
              {.is_as_before = [&] { return got_is(expected); }});
    expect_same(run(), expected);
    const std::string entry = std::filesystem::directory_iterator(folder.path())->path();
    const std::string bytes = bytes_of(entry);
    fail_each("into the cache",
              [&] {
                  ::unlink(entry.c_str());
                  core.compile_model(path, "CPU", cached);
              },
              {.is_as_before = [&] {
                  return !std::filesystem::exists(entry) || bytes_of(entry) == bytes;
              }});
    expect_same(run(), expected);
}

TEST_P(AllocationFaults, OtherCalls) {
    CompiledModel compiled = compile();
    InferRequest request = compiled.create_infer_request();
    infer_once(request, inputs_of(compiled.inputs(), 3), compiled.outputs().size());
    const std::string text = model.to_text();
    const auto clone = [&] { return model.clone(); };
    fail_each("clone", clone);
    fail_each("to_text", [&] { model.to_text(); });
    fail_each("nodes", [&] { model.nodes(); });
    fail_each("inputs", [&] { model.input(model.inputs()[0].any_name()); });
    fail_each("batch_rows", [&] { model.batch_rows(); });
    fail_each("find_states", [&] { model.find_states(); });
    fail_each("transform", [&] {
        Model copy = model.clone();
        core.transform(copy);
    });
    fail_each("reshape", [&] {
        Model copy = model.clone();
        copy.reshape({{model.inputs()[0].any_name(), model.inputs()[0].shape}});
    });
    fail_each("kernels", [&] { compiled.kernels(); });
    fail_each("runtime_model", [&] { compiled.runtime_model(); });
    fail_each("get_property", [&] { compiled.get_property(property::kNumStreams); });
    fail_each("set_input_tensor", [&] {
        const Tensor input = request.get_input_tensor(0);
        request.set_input_tensor(0, Tensor(input.element_type(), input.shape()));
    });
    fail_each("device property", [&] {
        core.set_property("CPU", {{property::kNumStreams, "2"}});
        core.get_property("CPU", property::kNumStreams);
    });
    EXPECT_EQ(model.to_text(), text);
}

// Calls that find nothing to say make their error all the same.
TEST_P(AllocationFaults, Errors) {
    fail_each("a missing file", [&] {
        try {
            core.read_model("/no/such/file");
        } catch (const ModelError&) {
        }
    });
    fail_each("an unknown name", [&] {
        try {
            model.input("no such input");
        } catch (const ModelError&) {
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Models, AllocationFaults, ::testing::ValuesIn(kFaultModels),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rondo::test::allocation_faults_test
