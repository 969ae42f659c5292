// A model that was read: its inputs, outputs and nodes, new shapes, and saving.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/export.hpp"
#include "rondo/quantization.hpp"
#include "rondo/shape.hpp"

namespace rondo {

class Graph;

/// An input or output of a model.
struct PortInfo {
    std::vector<std::string> names;  ///< sorted; the node's own name if it has no tensor names
    ElementType element_type = ElementType::dynamic;
    PartialShape shape;

    /// The first tensor name.
    const std::string& any_name() const { return names.front(); }
    /// Whether the input takes a tensor of this shape: one that its own contains; a scalar also
    /// takes one element of any rank.
    RONDO_API bool takes(const Shape& tensor_shape) const;
};

/// One operation of a model, for tools that show or draw it.
struct NodeInfo {
    struct Source {
        std::size_t node;    ///< index into Model::nodes()
        std::size_t output;  ///< of that node
    };
    /// A graph that the node runs: a branch of If, or what Loop and TensorIterator repeat.
    struct Body {
        std::string name;             ///< such as "then_body"
        std::string place;            ///< before names of its nodes in reports: "if/then_body/"
        std::vector<NodeInfo> nodes;  ///< every node comes after its producers
    };
    std::string name;
    std::string type;   ///< such as "LSTMSequence"
    std::string opset;  ///< such as "opset5"
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<Source> inputs;
    std::vector<PortInfo> outputs;
    std::size_t constant_bytes = 0;  ///< of a Const
    /// Notes that aren't attributes, such as {"precision", "W i8: dequantized"}.
    std::vector<std::pair<std::string, std::string>> facts = {};
    const void* constant_data = nullptr;  ///< a Const's elements; those that share them have one
    std::vector<Body> bodies = {};
};

/// The closed interval of values that an integer input may hold.
struct ValueRange {
    std::int64_t min;
    std::int64_t max;
};

/// The states that a model takes as inputs and gives as outputs, as far as they can be found.
struct StateSearch {
    /// The names of an input and of the output that is its next value. A part of an output that
    /// joins several states is named "state[2]".
    std::vector<std::pair<std::string, std::string>> pairs;
    /// A sentence for each other port that looks like a state: what it lacks.
    std::vector<std::string> unpaired;
};

/// What Model::make_streaming() goes by.
struct StreamingOptions {
    /// The time axis of each input that has one; below 0 it counts from the end. Empty: the open
    /// axis of each input, the first one after axis 0 if there are several.
    std::map<std::string, std::int64_t> time_axes = {};
};

/// Along which axes the rows of a batch lie, and whether they are independent: whether a row of a
/// batch gives the bits that it gives alone.
struct BatchRows {
    struct Port {
        std::string kind;  ///< "input", "output" or "variable"
        std::string name;
        std::optional<std::size_t> axis;  ///< empty if all rows share the value
    };
    std::vector<Port> ports;  ///< empty if the rows aren't independent
    std::string obstacle;     ///< the op that breaks it, and why; empty if they are
    bool is_open = true;      ///< false if Model::set_batch() has to open the batch first
};

/// A handle to a graph: copies share it.
class RONDO_API Model {
public:
    Model() = default;
    explicit Model(std::shared_ptr<Graph> graph);

    explicit operator bool() const { return graph_ != nullptr; }

    const std::string& name() const;
    void set_name(std::string name);
    /// Facts of the whole model that the IR keeps, by their paths: "framework/version".
    std::map<std::string, std::string> rt_info() const;
    void set_rt_info(const std::string& path, std::string value);
    std::vector<PortInfo> inputs() const;
    std::vector<PortInfo> outputs() const;
    /// The inputs of an ONNX file that have initializers, which a caller could replace, and that
    /// reading has made constants; see KEEP_INPUTS.
    std::vector<std::string> constant_inputs() const;
    /// Throws ModelError with the known names.
    PortInfo input(const std::string& name) const;
    PortInfo output(const std::string& name) const;

    /// Gives the named inputs new shapes and infers all others again. On an error nothing changes.
    /// Open extents may become any. If a known extent changes, an ONNX model is read again: what
    /// was computed from shapes follows them. A model that was transformed (or read from IR that
    /// `rondo compile` wrote) keeps its known extents, and so does an ONNX model that was changed
    /// otherwise and computes from shapes: throws UnsupportedError for others.
    void reshape(const std::map<std::string, PartialShape>& shapes);
    /// Makes a model that takes a whole sequence take it in chunks of any length, one a call; what
    /// the next chunk needs is kept in variables. The outputs of all chunks, put together along
    /// time, are those of one call of the original model, bit for bit. See
    /// docs/streaming.md. Throws UnsupportedError naming the node that needs the future or
    /// all of time at once; the model then stays as it is.
    void make_streaming(const StreamingOptions& options = {});
    /// Stores W and R of recurrent layers as integers with a scale a row, in which the CPU then
    /// computes; the portable passes run first. An entry for each layer, in the order in which they
    /// run. Throws ModelError for an unknown format or name; the model then stays as it is.
    std::vector<LayerQuantization> quantize(const QuantizationOptions& options = {});
    /// Gives the batch of all inputs and variables that extent; Dimension() opens it. What the
    /// model fixes to one row is changed. A row of the batch then gives the bits that it gives
    /// alone. Throws ModelError for a batch of 0 and UnsupportedError that names the op that mixes
    /// rows; on an error nothing changes.
    void set_batch(const Dimension& batch);
    /// Puts a batch axis in front of the shapes of all inputs, variables and outputs, for a model
    /// that has none or whose own doesn't suit. Row n of each output is, bit for bit, what the
    /// model gives for row n of the inputs and variables. Inputs without axes, such as a sampling
    /// rate, are shared by all rows. Dimension() leaves the number of rows open. Throws
    /// UnsupportedError that names the op which can't be followed; on an error nothing changes.
    void add_batch_axis(const Dimension& batch = {});
    /// Whether the rows of a batch are independent, and along which axes they lie.
    BatchRows batch_rows() const;
    /// An independent copy (weights are shared).
    Model clone() const;
    /// The graph as text, a line a node.
    std::string to_text() const;
    /// Every node comes after its producers.
    std::vector<NodeInfo> nodes() const;

    /// Pairs inputs and outputs that are a state, by how the graph uses them and by their names.
    StateSearch find_states() const;
    /// Makes a variable of each pair of an input and the output that is its next value: a request
    /// keeps it from one inference to the next. "state[2]" names the third part of an output that
    /// joins several; the other parts become outputs under such names. It starts as zeros, and its
    /// id is both names joined, as OpenVINO's MakeStateful has it. On an error nothing changes:
    /// ModelError for names that aren't there, types or shapes that differ, and open extents that
    /// nothing settles.
    void make_stateful(const std::vector<std::pair<std::string, std::string>>& pairs);
    /// The same for the pairs that find_states() finds; if there is none, for the zeros from
    /// which recurrent layers start: the layers then go on where the last chunk of steps ended.
    /// Throws UnsupportedError naming a layer that needs later steps first, and ModelError listing
    /// all inputs and outputs if nothing is found.
    void make_stateful();
    /// OpenVINO's LowLatency2: the states of recurrent layers, and the loop-carried values of a
    /// TensorIterator or in a Loop that runs once, become variables; loops that run once are
    /// unrolled. They start as zeros, or as they did before if `use_const_initializer` is false.
    /// Throws UnsupportedError naming a layer or loop that runs backwards. On an error nothing
    /// changes.
    void apply_low_latency(bool use_const_initializer = true);

    /// The values that the graph allows for an integer input: 1 to T for sequence lengths, 0 to the
    /// extent - 1 for the indices of a Gather. Nothing if it doesn't say, or the extent is open.
    std::optional<ValueRange> value_range(const std::string& input) const;

    /// For Rondo's own code.
    const std::shared_ptr<Graph>& graph() const { return graph_; }

private:
    std::shared_ptr<Graph> graph_;
};

/// Writes `path`: an IR (.xml) and its weights beside it (.bin), or an ONNX model (.onnx). Throws
/// ModelError if it can't be written, and UnsupportedError that names each node that ONNX can't
/// say. `compress_to_f16` stores f32 and f64 constants as f16, as OpenVINO's save_model does.
RONDO_API void save_model(const Model& model, const std::string& path,
                          bool compress_to_f16 = false);
/// The same with f32 and f64 constants stored as `weights`: f16, bf16, or f32 (as they are). Throws
/// ModelError for another type.
RONDO_API void save_model(const Model& model, const std::string& path, ElementType weights);

/// How save_model() writes a model.
struct SaveOptions {
    /// As what f32 and f64 constants are stored: f16, bf16, or f32 (as they are).
    ElementType weights = ElementType::f32;
    /// ONNX: constants of 1 KiB or more go to a file of the model's name followed by ".data", as
    /// `onnx.save(save_as_external_data=True)` lays it out. A model of 2 GiB or more is written so
    /// anyway, since no ONNX file holds it.
    bool external_data = false;
};
/// The same with these options.
RONDO_API void save_model(const Model& model, const std::string& path, const SaveOptions& options);
/// The same in a format by its name, "ir" or "onnx", whatever the file's name ends in.
RONDO_API void save_model_as(const std::string& format, const Model& model, const std::string& path,
                             ElementType weights = ElementType::f32);
RONDO_API void save_model_as(const std::string& format, const Model& model, const std::string& path,
                             const SaveOptions& options);

}  // namespace rondo
