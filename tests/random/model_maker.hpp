// The growing random model: its values, and the ways to pick from them and to add to them.
#pragma once

#include <functional>
#include <optional>
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

    std::size_t rank() const { return shape.size(); }
    const Extent& last() const { return shape.back(); }
};

/// An ONNX model under construction. Every f32 value stays within a few units, and no op turns a
/// small error into a large one, so that two right devices agree closely.
class ModelMaker {
public:
    explicit ModelMaker(Rng& rng) : rng_(rng) {}

    Rng& rng() { return rng_; }
    bool chance(double probability) { return uniform(rng_, 0, 1) < probability; }
    std::int64_t number(std::int64_t lo, std::int64_t hi) { return uniform_int(rng_, lo, hi); }

    /// An input of the model; also a value to pick.
    Value add_input(const std::string& name, ElementType type, const Extents& shape);
    const std::vector<Value>& inputs() const { return inputs_; }

    /// A node with one output, which may be picked from then on. `attributes` adds its attributes.
    Value add(const std::string& op, const std::vector<Value>& inputs, const Extents& shape,
              ElementType type = ElementType::f32,
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

    /// Some f32 value that `fits`; mostly one of the newest. Nothing where there is none.
    std::optional<Value> pick(const std::function<bool(const Value&)>& fits,
                              ElementType type = ElementType::f32);
    std::optional<Value> pick_of_rank(std::size_t least, std::size_t most);
    std::optional<Value> pick_like(const Value& other);

    /// tanh(x), for values that may have grown.
    Value bounded(const Value& x) { return add("Tanh", {x}, x.shape); }

    const std::vector<Value>& values() const { return values_; }
    ModelBuilder& model() { return model_; }

private:
    Value initializer(const Tensor& tensor);
    std::string new_name(const std::string& prefix) { return prefix + std::to_string(++names_); }

    Rng& rng_;
    ModelBuilder model_{17};
    std::vector<Value> inputs_;
    std::vector<Value> values_;
    int names_ = 0;
};

/// Adds a node or a few, made of what is there; false where nothing fits.
using Recipe = bool (*)(ModelMaker& maker);

/// Recipes of each family. Ops that the frontend does not read are left out.
std::vector<Recipe> elementwise_recipes();
std::vector<Recipe> movement_recipes();
std::vector<Recipe> product_recipes();
std::vector<Recipe> recurrent_recipes();
std::vector<Recipe> reduction_recipes();
std::vector<Recipe> source_recipes();

}  // namespace rondo::test
