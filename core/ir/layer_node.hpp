// Makes the node of a layer that was read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::ir {

/// Brings an op whose attributes were read under `form` into our form, and returns its inputs as
/// ours has them; nothing happens to rondo1's forms. LSTMCell and GRUCell may come without B:
/// zeros, named `b_name`. LSTMCell-1 may come with a P of zeros, which goes. Alphas and betas go:
/// no function of a standard form takes one. Throws UnsupportedError for what the forms' pages
/// don't know: other functions than sigmoid, tanh and relu, a set of them for each direction,
/// input_forget (LSTMCell-1 has it), a P that isn't zero; and ModelError for a
/// missing hidden_size, which rondo1 alone leaves out.
std::vector<Output> adopt_form(ops::RecurrentOp& op, const OpType& form, std::vector<Output> inputs,
                               const std::string& b_name);

using Attributes = std::vector<std::pair<std::string, std::string>>;

struct LayerBody {
    GraphPtr graph;
    ops::BodyPorts ports = {};
};

/// All that a layer holds.
struct LayerNode {
    std::string type;     ///< any case
    std::string version;  ///< "opset13" or "rondo1"
    std::string name;
    std::vector<Output> inputs = {};
    Attributes attributes = {};
    Tensor value = {};                   ///< a constant's
    std::vector<LayerBody> bodies = {};  ///< in the order of body_names()
    ops::LoopPorts loop_ports = {};      ///< a Loop's
};

/// True if op_list() or composed_ops() has that op.
bool is_known(std::string_view type, std::string_view version);
/// "'LSTMSequence' (opset1; known in opset5 and later)".
std::string unsupported_text(std::string_view type, std::string_view version);

/// What the bodies of a layer of that type are called; none if it has none.
std::vector<std::string> body_names(std::string_view type, std::string_view version);

/// Throws ModelError if there are other numbers of bodies than the op's.
void set_bodies(ops::BodyOp& op, const std::vector<LayerBody>& bodies,
                const ops::LoopPorts& loop_ports);

/// The node of a layer of a known type: composed of others, or one with its inputs. Attributes that
/// the op doesn't have are refused: a newer form of it means something else. `names` are those of
/// the graph, which a composed op adds to. Throws ModelError and UnsupportedError without the
/// layer's place.
NodePtr make_layer_node(LayerNode layer, UniqueNames& names);

}  // namespace rondo::ir
