// The growing random model: its values, and the ways to pick from them and to add to them.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/random/extent.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {

/// A tensor of the model.
struct Value {
    std::string name;
    ElementType type = ElementType::f32;
    Extents shape;
    bool exact = false;    ///< the same bits on every device (exact_ops.hpp)
    bool holds_k = false;  ///< one i64, equal to the input "k"
    bool hidden = false;   ///< no recipe picks it: its shape varies, or its sign is noise

    std::size_t rank() const { return shape.size(); }
    const Extent& last() const { return shape.back(); }
    /// The last axis, which is known.
    std::size_t width() const { return static_cast<std::size_t>(last().factor); }
};

/// An ONNX model under construction. Every f32 value stays within a few units, and no op turns a
/// small error into a large one, so that two right devices agree closely.
class ModelMaker {
public:
    explicit ModelMaker(Rng& rng, std::int64_t opset = 17);
    /// The maker of a graph inside of this one, whose values it may read.
    ModelMaker inside() const;

    /// The version of ONNX that the model imports.
    std::int64_t opset() const { return opset_; }

    /// Says that N or T may be 0 in a run.
    void allow_empty(bool n, bool t) {
        n_may_be_zero_ = n;
        t_may_be_zero_ = t;
    }
    /// The most hidden units that a recurrent layer has, and the most numbers of a row that it
    /// reads.
    struct LayerSizes {
        std::int64_t hidden = 9, input = 16;
    };
    const LayerSizes& layer_sizes() const { return layer_sizes_; }
    void set_layer_sizes(const LayerSizes& sizes) { layer_sizes_ = sizes; }

    /// Whether the extent is above 0 in every run.
    bool is_filled(const Extent& extent) const {
        return extent.factor > 0 && !(n_may_be_zero_ && extent.n > 0) &&
               !(t_may_be_zero_ && extent.t > 0);
    }
    /// Whether the value has elements in every run.
    bool has_elements(const Value& value) const {
        return std::all_of(value.shape.begin(), value.shape.end(),
                           [this](const Extent& extent) { return is_filled(extent); });
    }

    /// 0 for the model itself, 1 for a body in it.
    int depth() const { return depth_; }
    /// The number of the last name, which a body's own names go on from, and the outer graph's
    /// after it.
    int last_name() const { return names_; }
    void set_last_name(int number) { names_ = number; }

    Rng& rng() { return rng_; }
    bool chance(double probability) { return uniform(rng_, 0, 1) < probability; }
    std::int64_t number(std::int64_t lo, std::int64_t hi) { return uniform_int(rng_, lo, hi); }

    /// An input of the model; also a value to pick.
    Value add_input(const std::string& name, ElementType type, const Extents& shape);
    const std::vector<Value>& inputs() const { return inputs_; }
    /// An input of a body, whose shape it may say or not, except that of an integer or a flag.
    Value add_parameter(Value value);
    /// An output of a body, with its shape unless it is hidden.
    void add_result(const Value& value);
    /// An input or an output of a body that is a sequence of f32 tensors, which no recipe picks.
    Value add_list_parameter();
    void add_list_result(const Value& list);

    /// A node with one output, which may be picked from then on. `attributes` adds its attributes.
    Value add(const std::string& op, const std::vector<Value>& inputs, const Extents& shape,
              ElementType type = ElementType::f32,
              const std::function<void(NodeBuilder&)>& attributes = {});
    /// A node whose output is a sequence, which no recipe picks.
    Value add_list(const std::string& op, const std::vector<Value>& inputs,
                   const std::function<void(NodeBuilder&)>& attributes = {});
    /// The same with several outputs. A value without a name is an omitted input.
    std::vector<Value> add_all(const std::string& op, const std::vector<Value>& inputs,
                               const std::vector<Extents>& shapes, ElementType type,
                               const std::function<void(NodeBuilder&)>& attributes = {});

    /// Initializers.
    Value weights(const Shape& shape, double bound = 0.5);
    Value filled(const Shape& shape, float value);
    Value ints(const std::vector<std::int64_t>& values);
    Value int_scalar(std::int64_t value);
    Value flag(bool value);
    Value constant(const Tensor& tensor);

    /// Some f32 value that `fits`; mostly one of the newest. Empty if there is none.
    std::optional<Value> pick(const std::function<bool(const Value&)>& fits,
                              ElementType type = ElementType::f32);
    std::optional<Value> pick_of_rank(std::size_t least, std::size_t most);
    std::optional<Value> pick_like(const Value& other, ElementType type = ElementType::f32);
    /// A value of rank 3 with a known number of channels, whose last axis is never empty.
    std::optional<Value> pick_channels();

    /// tanh(x), for values that may have grown.
    Value bounded(const Value& x) { return add("Tanh", {x}, x.shape); }
    /// One [batch, sequence, features] with a known number of features.
    std::optional<Value> pick_sequence();
    /// x, [..., K], times random weights [K, features], bounded.
    Value projected(const Value& x, std::int64_t features);

    const std::vector<Value>& values() const { return values_; }
    /// What this graph itself has made, without what it sees of outer ones.
    std::span<const Value> own_values() const {
        return std::span<const Value>(values_).subspan(outer_values_);
    }
    /// What recipes know of a value; it may be hidden from them.
    void describe(const Value& value);
    /// No recipe picks the value from now on.
    void hide(Value value) {
        value.hidden = true;
        describe(value);
    }
    ModelBuilder& model() { return model_; }

private:
    std::string new_name(const std::string& prefix) { return prefix + std::to_string(++names_); }

    Rng& rng_;
    std::int64_t opset_;
    ModelBuilder model_;
    std::vector<Value> inputs_;
    std::vector<Value> values_;
    std::size_t outer_values_ = 0;
    int names_ = 0;
    int depth_ = 0;
    LayerSizes layer_sizes_;
    bool n_may_be_zero_ = false;
    bool t_may_be_zero_ = false;
};

/// Adds a node or a few, made of what is there; false where nothing fits.
using Recipe = bool (*)(ModelMaker& maker);

/// Recipes of each family. Ops that the frontend does not read are left out.
std::vector<Recipe> attention_recipes();
std::vector<Recipe> bytes_recipes();
std::vector<Recipe> control_recipes();
std::vector<Recipe> elementwise_recipes();
std::vector<Recipe> function_recipes();
std::vector<Recipe> indexing_recipes();
std::vector<Recipe> late_recipes();
std::vector<Recipe> layer_recipes();
std::vector<Recipe> list_recipes();
std::vector<Recipe> matrix_recipes();
std::vector<Recipe> microsoft_recipes();
std::vector<Recipe> movement_recipes();
std::vector<Recipe> normalization_recipes();
std::vector<Recipe> product_recipes();
std::vector<Recipe> quantization_recipes();
std::vector<Recipe> recurrent_recipes();
std::vector<Recipe> reduction_recipes();
std::vector<Recipe> shape_recipes();
std::vector<Recipe> signal_recipes();
std::vector<Recipe> source_recipes();
std::vector<Recipe> spatial_recipes();
std::vector<Recipe> spectral_recipes();
std::vector<Recipe> typed_recipes();
std::vector<Recipe> window_recipes();

/// Adds a node or a few `count` times, by recipes of all families; bodies only where `bodies`
/// holds, and not deeper than two.
void add_nodes(ModelMaker& maker, std::int64_t count, bool bodies);
/// Computes shapes and uses them `count` times.
void add_shape_nodes(ModelMaker& maker, std::int64_t count);
/// Adds a recurrent layer or a few `count` times.
void add_layers(ModelMaker& maker, std::int64_t count);
/// Adds a node that has bodies.
void add_body(ModelMaker& maker);

}  // namespace rondo::test
