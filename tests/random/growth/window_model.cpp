#include "tests/random/growth/window_model.hpp"

#include <functional>
#include <string>
#include <utility>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;
using Attributes = std::function<void(NodeBuilder&)>;

class WindowModel {
public:
    explicit WindowModel(std::uint64_t seed)
        : rng_(seed * 2654435761U + 5), maker_(rng_, 19), is_open_(seed % 3 != 0) {}

    RandomModel make() {
        channels_ = maker_.number(1, 3);
        plane_ = maker_.chance(0.4);
        length_ = maker_.number(1, 9);
        Extents shape{kN, known(channels_), is_open_ ? kT : known(length_)};
        if (plane_) shape.push_back(known(3));
        x_ = maker_.add_input("x", ElementType::f32, shape);
        draw_window();
        const Value y = windows();
        note(y);
        for (std::int64_t i = maker_.number(2, 4); i > 0; --i) read(y);
        return finish();
    }

private:
    Value add(const std::string& op, const std::vector<Value>& inputs,
              const Attributes& attributes = {}, ElementType type = ElementType::f32) {
        return maker_.add(op, inputs, {}, type, attributes);
    }
    void note(const Value& value) { outputs_.push_back(value); }

    void draw_window() {
        const auto entries = [&](std::int64_t first, std::int64_t other) {
            return plane_ ? Ints{first, other} : Ints{first};
        };
        const std::int64_t tap = maker_.number(2, 7);
        kernel_ = entries(tap, maker_.number(1, 3));
        strides_ = entries(maker_.number(1, 3), 1);
        dilations_ = entries(tap <= 4 ? maker_.number(1, 2) : 1, 1);
        const std::int64_t pad = maker_.chance(0.5) ? maker_.number(0, tap - 1) : 0;
        const std::int64_t other = maker_.chance(0.3) ? 1 : 0;
        pads_ = plane_ ? Ints{pad, 0, other, 0} : Ints{pad, other};
    }

    void set_window(NodeBuilder& node, bool with_dilations = true) const {
        node.with("kernel_shape", kernel_).with("strides", strides_).with("pads", pads_);
        if (with_dilations) node.with("dilations", dilations_);
    }

    Shape filters(std::int64_t outputs, std::int64_t inputs) const {
        Shape shape{static_cast<std::size_t>(outputs), static_cast<std::size_t>(inputs)};
        for (const std::int64_t extent : kernel_) shape.push_back(static_cast<std::size_t>(extent));
        return shape;
    }

    Value windows() {
        const auto window = [&](NodeBuilder& node) { set_window(node); };
        switch (maker_.number(0, 9)) {
            case 0: return pool("MaxPool");
            case 1: return pool("AveragePool");
            case 2: return add("LpPool", {x_}, window);
            case 3: return indexed_pool();
            case 4: return integer_convolution();
            case 5: return quantised_convolution();
            case 6: return transposed_convolution();
            case 7: return framed();
            default: return convolution();
        }
    }

    Value pool(const std::string& op) {
        return add(op, {x_}, [&](NodeBuilder& node) {
            set_window(node);
            node.with("ceil_mode", maker_.number(0, 1));
        });
    }

    Value indexed_pool() {
        const auto made = maker_.add_all("MaxPool", {x_}, {{}, {}}, ElementType::f32,
                                         [&](NodeBuilder& node) { set_window(node); });
        Value places = made[1];
        places.type = ElementType::i64;
        note(places);
        return made[0];
    }

    Value convolution() {
        const bool grouped = maker_.chance(0.4);
        std::vector<Value> inputs{x_, maker_.weights(filters(channels_, grouped ? 1 : channels_))};
        if (maker_.chance(0.5)) {
            inputs.push_back(maker_.weights({static_cast<std::size_t>(channels_)}));
        }
        const Value y = add("Conv", inputs, [&](NodeBuilder& node) {
            set_window(node);
            if (grouped) node.with("group", channels_);
        });
        return maker_.chance(0.5) ? add("Relu", {y}) : y;
    }

    Value bytes() {
        const Value scaled = add("Mul", {x_, maker_.filled({}, 50)});
        return add(
            "Cast", {add("Abs", {scaled})}, [](NodeBuilder& node) { node.with("to", 2); },
            ElementType::u8);
    }

    Value byte_filters() {
        return maker_.constant(
            random_tensor(ElementType::u8, filters(channels_, channels_), rng_, 0, 9));
    }

    Value floats(const Value& x, float factor) {
        const Value wide = add("Cast", {x}, [](NodeBuilder& node) { node.with("to", 1); });
        return add("Mul", {wide, maker_.filled({}, factor)});
    }

    Value integer_convolution() {
        const Value y = add(
            "ConvInteger", {bytes(), byte_filters()}, [&](NodeBuilder& node) { set_window(node); },
            ElementType::i32);
        return floats(y, 1e-4F);
    }

    Value quantised_convolution() {
        const Value scale = maker_.filled({}, 0.05F);
        const Value zero = maker_.constant(scalar_of<std::uint8_t>(3));
        const Value y = add(
            "QLinearConv", {bytes(), scale, zero, byte_filters(), scale, zero, scale, zero},
            [&](NodeBuilder& node) { set_window(node); }, ElementType::u8);
        return floats(y, 0.01F);
    }

    // Pads that may cut off all that there is.
    Value transposed_convolution() {
        return add("ConvTranspose", {x_, maker_.weights(filters(channels_, channels_))},
                   [&](NodeBuilder& node) {
                       const std::int64_t cut = maker_.number(1, 6);
                       node.with("strides", strides_);
                       node.with("pads", plane_ ? Ints{cut, 0, cut / 2, 0} : Ints{cut, cut / 2});
                   });
    }

    // [N, frames, bins, 2] as [N, frames, bins * 2].
    Value framed() {
        const Value rows = add("ReduceMean", {x_, maker_.ints(plane_ ? Ints{1, 3} : Ints{1})},
                               [](NodeBuilder& node) { node.with("keepdims", 0); });
        std::vector<Value> inputs{rows, maker_.int_scalar(strides_[0]), Value{},
                                  maker_.int_scalar(kernel_[0])};
        if (maker_.chance(0.5)) {
            inputs[2] = maker_.weights({static_cast<std::size_t>(kernel_[0])});
            inputs.pop_back();
        }
        const Value signal = add("Unsqueeze", {rows, maker_.ints({2})});
        inputs[0] = signal;
        const Value frames = add("STFT", inputs);
        const std::int64_t numbers = (kernel_[0] / 2 + 1) * 2;
        return add("Reshape", {frames, maker_.ints({0, 0, numbers})});
    }

    void read(const Value& y) {
        using Read = Value (WindowModel::*)(const Value&);
        static constexpr Read kReads[] = {
            &WindowModel::reduced,    &WindowModel::softmax, &WindowModel::layer,
            &WindowModel::product,    &WindowModel::joined,  &WindowModel::flat,
            &WindowModel::globally,   &WindowModel::again,   &WindowModel::padded,
            &WindowModel::normalised, &WindowModel::counted, &WindowModel::compared};
        const auto kind = static_cast<std::size_t>(maker_.number(0, std::size(kReads) - 1));
        note((this->*kReads[kind])(y));
    }

    // [N,C,...] as [N,C,all].
    Value lines(const Value& y) {
        const Value shape = add(
            "Shape", {y}, [](NodeBuilder& node) { node.with("end", 2); }, ElementType::i64);
        const Value rest = add(
            "Shape", {y}, [](NodeBuilder& node) { node.with("start", 2); }, ElementType::i64);
        const Value count = add("ReduceProd", {rest}, {}, ElementType::i64);
        const Value pattern = add(
            "Concat", {shape, count}, [](NodeBuilder& node) { node.with("axis", 0); },
            ElementType::i64);
        return add("Reshape", {y, pattern}, [](NodeBuilder& node) { node.with("allowzero", 1); });
    }

    Value reduced(const Value& y) {
        const char* const ops[] = {"ReduceMax", "ReduceMean", "ReduceMin", "ReduceL2"};
        std::vector<Value> inputs{y};
        if (maker_.chance(0.7)) inputs.push_back(maker_.ints({2}));
        return add("Tanh", {add(ops[maker_.number(0, 3)], inputs, [&](NodeBuilder& node) {
                       node.with("keepdims", maker_.number(0, 1));
                   })});
    }
    Value softmax(const Value& y) {
        return add("Softmax", {y}, [](NodeBuilder& node) { node.with("axis", 2); });
    }
    // Over the windows.
    Value layer(const Value& y) {
        const Value x = add("Transpose", {lines(add("Tanh", {y}))}, [](NodeBuilder& node) {
            node.with("perm", Ints{2, 0, 1});
        });
        const Value one = add("ReduceMean", {x, maker_.ints({2})});
        const bool gru = maker_.chance(0.5);
        const std::size_t gates = gru ? 3 : 4;
        auto made = maker_.add_all(
            gru ? "GRU" : "LSTM",
            {one, maker_.weights({1, gates * 2, 1}), maker_.weights({1, gates * 2, 2})}, {{}, {}},
            ElementType::f32, [](NodeBuilder& node) { node.with("hidden_size", 2); });
        note(made[1]);
        return made[0];
    }
    Value product(const Value& y) {
        const Value rows = lines(add("Tanh", {y}));
        const Value columns = add("Transpose", {rows}, [](NodeBuilder& node) {
            node.with("perm", Ints{0, 2, 1});
        });
        return add("MatMul", maker_.chance(0.5) ? std::vector<Value>{rows, columns}
                                                : std::vector<Value>{columns, rows});
    }
    Value joined(const Value& y) {
        return add("Concat", {y, add("Tanh", {y}), y},
                   [](NodeBuilder& node) { node.with("axis", 2); });
    }
    Value flat(const Value& y) {
        return add("Flatten", {y},
                   [&](NodeBuilder& node) { node.with("axis", maker_.number(0, 2)); });
    }
    Value globally(const Value& y) {
        const char* const ops[] = {"GlobalAveragePool", "GlobalMaxPool"};
        return add("Tanh", {add(ops[maker_.number(0, 1)], {y})});
    }
    Value again(const Value& y) {
        const Value rows = lines(y);
        const std::int64_t kernel = maker_.number(1, 4);
        return add(maker_.chance(0.5) ? "MaxPool" : "AveragePool", {rows}, [&](NodeBuilder& node) {
            node.with("kernel_shape", Ints{kernel}).with("strides", Ints{maker_.number(1, 2)});
        });
    }
    Value padded(const Value& y) { return add("Pad", {lines(y), maker_.ints({0, 0, 1, 0, 0, 2})}); }
    Value normalised(const Value& y) {
        return add("MeanVarianceNormalization", {lines(y)}, [](NodeBuilder& node) {
            node.with("axes", Ints{0, 2});
        });
    }
    Value counted(const Value& y) { return add("Shape", {y}, {}, ElementType::i64); }
    Value compared(const Value& y) {
        const Value mask = add("Greater", {y, maker_.filled({}, 0.1F)}, {}, ElementType::boolean);
        return add("Where", {mask, y, add("Neg", {y})});
    }

    RandomModel finish() {
        RandomModel model;
        for (const Value& value : outputs_) {
            auto& info = *maker_.model().graph().add_output();
            const Value output = add("Identity", {value}, {}, value.type);
            info.set_name(output.name);
            info.mutable_type()->mutable_tensor_type()->set_elem_type(to_onnx(value.type));
            model.outputs.push_back(output.name);
        }
        model.bytes = maker_.model().bytes();
        for (int run = 0; run < 4; ++run) {
            const Sizes sizes{maker_.number(0, 3), is_open_ ? maker_.number(0, 12) : length_, 1};
            model.runs.push_back(sizes);
            model.inputs.push_back(
                {{"x", random_tensor(ElementType::f32, shape_at(x_.shape, sizes), rng_, -1, 1)}});
        }
        return model;
    }

    Rng rng_;
    ModelMaker maker_;
    bool is_open_;
    std::int64_t channels_ = 1;
    std::int64_t length_ = 1;
    bool plane_ = false;
    Value x_;
    Ints kernel_, strides_, dilations_, pads_;
    std::vector<Value> outputs_;
};

}  // namespace

RandomModel window_model(std::uint64_t seed) { return WindowModel(seed).make(); }

}  // namespace rondo::test
