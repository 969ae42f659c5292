// How the inputs and outputs of an If, Loop or Scan meet those of its bodies, in an ONNX message.
#pragma once

#include <optional>
#include <vector>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// Output `i` of the node is made by output `first_result + i` of each body. The first `carried` of
/// them go round: such a one starts as the node's input `first_input + i`, and is the body's input
/// `parameters[i]` in each iteration.
struct BodyPorts {
    std::vector<rondo_onnx::GraphProto*> bodies;
    int first_result = 0;
    int carried = 0;
    int first_input = 0;
    std::vector<int> parameters = {};  ///< growing
};

/// Nothing for other operators, and where the numbers of ports don't fit each other: the reader
/// refuses that, or knows an older form.
std::optional<BodyPorts> find_body_ports(rondo_onnx::NodeProto& node);

/// Takes the outputs that aren't needed out of the node and its bodies, with what carries them.
void remove_outputs(rondo_onnx::NodeProto& node, const BodyPorts& ports,
                    const std::vector<bool>& is_needed);

}  // namespace rondo::onnx
