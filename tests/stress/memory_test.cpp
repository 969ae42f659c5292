// What memory held before and where buffers lie changes no bit, whatever strategy runs.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstring>

#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/stress/stress_models.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test::memory_test {
namespace {

// Newly allocated memory has this byte, and freed memory its complement; 0 ends that. 0xff makes
// NaN of floats and -1 of integers.
class FilledMemory {
public:
    explicit FilledMemory(int byte) { ::mallopt(M_PERTURB, byte); }
    ~FilledMemory() { ::mallopt(M_PERTURB, 0); }
    FilledMemory(const FilledMemory&) = delete;
    FilledMemory& operator=(const FilledMemory&) = delete;
};

constexpr int kBytes[] = {0xff, 0x7f, 0x01, 0xa5};

void expect_answers(CompiledModel compiled, const std::vector<Answer>& answers) {
    InferRequest request = compiled.create_infer_request();
    for (const Answer& answer : answers) {
        expect_same(infer_once(request, answer.inputs, answer.outputs.size()), answer.outputs);
    }
}

TEST(Memory, WhatItHeldBeforeChangesNothing) {
    for (const StressModel& model : make_stress_models()) {
        SCOPED_TRACE(model.name);
        for (const int byte : kBytes) {
            const FilledMemory filled(byte);
            expect_answers(model.compiled, model.answers);
        }
    }
}

TEST(Memory, WhatItHeldWhenAModelWasReadChangesNothing) {
    for (const FaultModel& model : kFaultModels) {
        SCOPED_TRACE(model.name);
        for (const char* device : {"CPU", "REFERENCE"}) {
            std::vector<Answer> answers;
            const auto run = [&] {
                CompiledModel compiled = Core().compile_model(path_of(model), device);
                if (answers.empty()) answers.push_back({inputs_of(compiled.inputs(), 3), {}});
                InferRequest request = compiled.create_infer_request();
                const auto outputs =
                    infer_once(request, answers[0].inputs, compiled.outputs().size());
                if (answers[0].outputs.empty()) answers[0].outputs = outputs;
                expect_same(outputs, answers[0].outputs);
            };
            run();
            for (const int byte : kBytes) {
                const FilledMemory filled(byte);
                run();
            }
        }
    }
}

// A copy that begins so many elements after a 64-byte boundary. `memory` must outlive it.
Tensor moved(const Tensor& tensor, std::size_t offset, std::vector<Tensor>& memory) {
    const std::size_t bytes = tensor.size() * size_of(tensor.element_type());
    memory.emplace_back(ElementType::u8,
                        Shape{bytes + (offset + 1) * size_of(tensor.element_type()) + 64});
    auto address = reinterpret_cast<std::uintptr_t>(memory.back().data());
    address = (address + 63) / 64 * 64 + offset * size_of(tensor.element_type());
    Tensor copy(tensor.element_type(), tensor.shape(), reinterpret_cast<void*>(address));
    tensor.copy_to(copy);
    return copy;
}

TEST(Memory, WhereBuffersLieChangesNothing) {
    for (StressModel& model : make_stress_models()) {
        SCOPED_TRACE(model.name);
        InferRequest request = model.compiled.create_infer_request();
        for (const std::size_t offset : {0, 1, 2, 3, 5, 8, 15}) {
            for (const Answer& answer : model.answers) {
                std::vector<Tensor> memory, inputs, outputs;
                for (std::size_t i = 0; i < answer.inputs.size(); ++i) {
                    inputs.push_back(moved(answer.inputs[i], offset, memory));
                    request.set_input_tensor(i, inputs[i]);
                }
                for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
                    outputs.push_back(moved(answer.outputs[i], offset, memory));
                    std::memset(outputs[i].data(), 0xff, outputs[i].byte_size());
                    request.set_output_tensor(i, outputs[i]);
                }
                request.infer();
                expect_same(outputs, answer.outputs);
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::memory_test
