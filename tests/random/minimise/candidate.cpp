#include "tests/random/minimise/candidate.hpp"

#include "rondo/error.hpp"

namespace rondo::test {

Candidate::Candidate(const RandomModel& model) : inputs(model.inputs) {
    if (!message.ParseFromString(model.bytes)) throw ModelError("the bytes are no ONNX message");
}

RandomModel Candidate::model() const {
    RandomModel model;
    model.bytes = message.SerializeAsString();
    model.inputs = inputs;
    for (const auto& output : graph().output()) model.outputs.push_back(output.name());
    return model;
}

}  // namespace rondo::test
