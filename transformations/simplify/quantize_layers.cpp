#include "transformations/simplify/quantize_layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/integer_weights.hpp"
#include "core/support/unique_names.hpp"
#include "rondo/conversion.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

// The range of a format's integers; the greatest number of a row becomes `most`.
struct Integers {
    int least, most;
};

struct Format {
    const char* name;
    ElementType weights;
    const char* mark;
    Integers integers;
    /// A layer with fewer weights a direction runs no faster than in f32: what rounding costs is
    /// not made up for.
    std::size_t fewest;
};
constexpr Format kFormats[] = {
    {"w8r16", ElementType::i8, kRowsOf16Bits, {-128, 127}, 12'288},
    {"w8r8", ElementType::i8, "", {-128, 127}, 12'288},
    {"w16r16", ElementType::i16, kRowsOf16Bits, {-kMostOfI16Weights, kMostOfI16Weights}, 32'768},
};

const Format& format_of(const std::string& name) {
    std::vector<std::string> names;
    for (const Format& format : kFormats) {
        if (name == format.name) return format;
        names.emplace_back(format.name);
    }
    throw ModelError("there is no format '" + name + "'; " + known_names(name, names));
}

// A matrix [..,G*H,K] in rows.
struct Rows {
    Tensor integers;
    Tensor scales;  // [..,G*H,1]
    double decibels = std::numeric_limits<double>::infinity();
};

struct Powers {
    double signal = 0, noise = 0;
};

// A row that is so small counts as zeros.
constexpr float kLeast = 0x1p-100F;

// Magnitudes of some numbers: the least that isn't 0, and the greatest.
struct Magnitudes {
    float least = std::numeric_limits<float>::infinity(), greatest = 0;
};

Magnitudes magnitudes_of(const float* numbers, std::size_t count) {
    Magnitudes found;
    for (std::size_t i = 0; i < count; ++i) {
        const float magnitude = std::abs(numbers[i]);
        found.greatest = std::max(found.greatest, magnitude);
        if (magnitude > 0) found.least = std::min(found.least, magnitude);
    }
    return found;
}

// Whether all numbers are `step` times an integer, except for what f32 loses.
bool is_grid(const float* numbers, std::size_t count, float step, const Integers& integers) {
    constexpr float kLost = 0.01F;
    return std::all_of(numbers, numbers + count, [&](float number) {
        const float steps = number / step, whole = std::nearbyint(steps);
        return std::abs(steps - whole) <= kLost && whole <= static_cast<float>(integers.most) &&
               whole >= static_cast<float>(integers.least);
    });
}

// The scale of numbers that were integers before: `least` is some multiple of it. Returns nothing
// if there is no such scale.
std::optional<float> scale_of_grid(const float* row, std::size_t k, const Magnitudes& of_row,
                                   float least, const Integers& integers) {
    constexpr int kMostMultiple = 127;
    for (int multiple = 1; multiple <= kMostMultiple; ++multiple) {
        const float step = least / static_cast<float>(multiple);
        if (of_row.greatest / step > static_cast<float>(integers.most) + 1.5F) break;
        if (!is_grid(row, k, step, integers)) continue;
        // The greatest number says the step most exactly.
        return of_row.greatest / std::nearbyint(of_row.greatest / step);
    }
    return {};
}

// `least`: of the whole matrix. Numbers that were integers with one scale for all rows, or one of
// the row, become these again.
float scale_of_row(const float* row, std::size_t k, float least, const Integers& integers) {
    const Magnitudes of_row = magnitudes_of(row, k);
    if (of_row.greatest < kLeast) return 1;
    for (const float some : {least, of_row.least}) {
        if (const auto scale = scale_of_grid(row, k, of_row, some, integers)) return *scale;
    }
    return of_row.greatest / static_cast<float>(integers.most);
}

template <typename T>
Powers round_row(const float* row, std::size_t k, const Integers& integers, float scale, T* to) {
    Powers powers;
    for (std::size_t i = 0; i < k; ++i) {
        const float steps = std::nearbyint(row[i] / scale);
        to[i] = static_cast<T>(std::clamp(steps, static_cast<float>(integers.least),
                                          static_cast<float>(integers.most)));
        const double error = static_cast<double>(row[i]) - double{scale} * to[i];
        powers.signal += static_cast<double>(row[i]) * row[i];
        powers.noise += error * error;
    }
    return powers;
}

template <typename T>
Rows rounded_as(const Tensor& values, const Integers& integers) {
    Shape of_scales = values.shape();
    const std::size_t k = of_scales.back();
    of_scales.back() = 1;
    Rows rows{Tensor(element_type_of<T>(), values.shape()), Tensor(ElementType::f32, of_scales)};
    Powers all;
    const float least = magnitudes_of(values.data<float>(), values.size()).least;
    for (std::size_t row = 0; row < rows.scales.size(); ++row) {
        const float* numbers = values.data<float>() + row * k;
        const float scale = scale_of_row(numbers, k, least, integers);
        rows.scales.data<float>()[row] = scale;
        const Powers powers =
            round_row(numbers, k, integers, scale, rows.integers.data<T>() + row * k);
        all.signal += powers.signal;
        all.noise += powers.noise;
    }
    if (all.noise > 0) rows.decibels = 10 * std::log10(all.signal / all.noise);
    return rows;
}

Rows rounded(const Tensor& values, const Format& format) {
    return format.weights == ElementType::i8 ? rounded_as<std::int8_t>(values, format.integers)
                                             : rounded_as<std::int16_t>(values, format.integers);
}

bool is_finite(const Tensor& values) {
    const float* numbers = values.data<float>();
    return std::all_of(numbers, numbers + values.size(),
                       [](float number) { return std::isfinite(number); });
}

// Calls `visit(graph, layer, name)` for each recurrent layer, also in bodies; `name` starts with
// the ops that hold it.
template <typename Visit>
void for_each_layer(const Graph& graph, const std::string& prefix, const Visit& visit) {
    for (const auto& node : graph.ordered_nodes()) {
        const std::string name = prefix + node->name();
        for (const auto& body : node->bodies()) for_each_layer(*body, name + "/", visit);
        if (const auto op = as<RecurrentOp>(node)) visit(graph, *op, name);
    }
}

class Quantizer {
public:
    Quantizer(const Format& format, const QuantizationOptions& options)
        : format_(format), options_(options) {}

    void run(const Graph& graph) {
        for_each_layer(graph, "", [&](const Graph& holder, RecurrentOp& op, const auto& name) {
            const auto [made, is_new] = made_.try_emplace(&holder);
            if (is_new) {
                for (const auto& node : holder.ordered_nodes()) {
                    made->second.names.insert(node->name());
                }
            }
            layers_.push_back(layer(op, name, made->second));
        });
    }

    std::vector<LayerQuantization> take_layers() { return std::move(layers_); }

private:
    // What was made in a graph so far: products that replace weights, by the weights' addresses.
    struct Made {
        std::map<const void*, NodePtr> products;
        UniqueNames names;
    };

    LayerQuantization layer(RecurrentOp& op, const std::string& name, Made& made) {
        LayerQuantization result;
        result.name = name;
        result.type = op.type_name();
        const Tensor w = stored_weights(op, op.w_port()), r = stored_weights(op, op.r_port());
        if (w && r) result.bytes = result.new_bytes = w.byte_size() + r.byte_size();
        result.kept = obstacle(op, name, w, r);
        if (!result.kept.empty()) return result;
        const Tensor wide_w = convert_tensor(w, ElementType::f32).tensor;
        const Tensor wide_r = convert_tensor(r, ElementType::f32).tensor;
        if (!is_finite(wide_w) || !is_finite(wide_r)) {
            result.kept = "its weights aren't all finite";
            return result;
        }
        const Rows of_w = rounded(wide_w, format_), of_r = rounded(wide_r, format_);
        result.decibels = std::min(of_w.decibels, of_r.decibels);
        if (result.decibels < options_.least_decibels) {
            result.kept = "the weights would lose too much";
            return result;
        }
        for (const auto& [port, stored, rows, role] :
             {std::tuple(op.w_port(), w, of_w, "/W"), std::tuple(op.r_port(), r, of_r, "/R")}) {
            NodePtr& product = made.products[stored.data()];
            if (!product) product = product_of(rows, op.name() + role, made.names);
            op.set_input(port, product);
        }
        op.rt_info()[kDynamicQuantization] = format_.mark;
        result.new_bytes = of_w.integers.byte_size() + of_w.scales.byte_size() +
                           of_r.integers.byte_size() + of_r.scales.byte_size();
        return result;
    }

    // Why the layer stays f32, or nothing.
    std::string obstacle(const RecurrentOp& op, const std::string& name, const Tensor& w,
                         const Tensor& r) const {
        const auto& keep = options_.keep;
        if (std::find(keep.begin(), keep.end(), name) != keep.end()) return "asked for";
        if (op.output_type(0) != ElementType::f32) {
            return "it computes in " + std::string(to_string(op.output_type(0)));
        }
        if (op.rt_info().contains(kDynamicQuantization)) return "it is quantised already";
        if (!has_constant_weights(op) || !w || !r || !is_floating(w.element_type()) ||
            !is_floating(r.element_type())) {
            return "its weights and biases are no constants of a floating type";
        }
        const std::size_t longest = std::max(w.shape().back(), r.shape().back());
        if (longest > static_cast<std::size_t>(kMaxQuantized)) return "its rows are too long";
        const std::size_t directions = op.is_sequence() ? w.shape()[0] : 1;
        if ((w.size() + r.size()) / directions < options_.least_weights.value_or(format_.fewest)) {
            return "too small to gain";
        }
        return "";
    }

    // As OpenVINO reads it. The mark keeps the Convert from being folded.
    static NodePtr product_of(const Rows& rows, const std::string& name, UniqueNames& names) {
        const auto named = [&](const NodePtr& node, const std::string& rest) {
            node->set_name(names.take(name + rest));
            return node;
        };
        const auto integers = named(make_node<ops::Constant>(rows.integers), "/integers");
        const auto scales = named(make_node<ops::Constant>(rows.scales), "/scales");
        const auto wide = named(make_node<ops::Convert>(integers, ElementType::f32), "/f32");
        wide->rt_info()[kDecompression] = "";
        return named(make_node<ops::Binary>(ops::BinaryFunction::multiply, wide, scales), "");
    }

    const Format& format_;
    const QuantizationOptions& options_;
    std::map<const Graph*, Made> made_;
    std::vector<LayerQuantization> layers_;
};

}  // namespace

void check_quantization(const Graph& graph, const QuantizationOptions& options) {
    format_of(options.format);
    if (std::isnan(options.least_decibels)) {
        throw ModelError("the least decibels are not a number");
    }
    std::vector<std::string> names;
    for_each_layer(graph, "", [&](const Graph&, const RecurrentOp&, const std::string& name) {
        names.push_back(name);
    });
    for (const auto& name : options.keep) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        throw ModelError("there is no recurrent layer '" + name + "' to keep; " +
                         known_names(name, names));
    }
}

std::vector<LayerQuantization> quantize_layers(Graph& graph, const QuantizationOptions& options) {
    Quantizer quantizer(format_of(options.format), options);
    quantizer.run(graph);
    return quantizer.take_layers();
}

}  // namespace rondo::passes
