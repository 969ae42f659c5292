#include "tests/random/inject_faults.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <regex>

#include "rondo/rondo.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

constexpr ElementType kTypes[] = {ElementType::f32, ElementType::i64, ElementType::i32,
                                  ElementType::boolean};

// Large sizes are refused, not tried.
const std::map<std::string, std::string> kLimits{{property::kMaxIterations, "1000"},
                                                 {property::kMaxTensorBytes, "4000000"},
                                                 {property::kMaxPlanBytes, "64000000"},
                                                 {property::kMaxCompileTime, "20000"}};

std::optional<ElementType> type_of(const rondo_onnx::TensorProto& tensor) {
    for (const ElementType type : kTypes) {
        if (to_onnx(type) == tensor.data_type()) return type;
    }
    return std::nullopt;
}

std::int64_t index_below(Rng& rng, std::size_t count) {
    return uniform_int(rng, 0, static_cast<std::int64_t>(count) - 1);
}

template <typename List>
auto& one_of(List& list, Rng& rng) {
    return list[static_cast<std::size_t>(index_below(rng, std::size(list)))];
}

bool chance(Rng& rng, double probability) { return uniform(rng, 0, 1) < probability; }

struct Initializer {
    rondo_onnx::GraphProto* graph;
    int index;
};

std::vector<Initializer> initializers_of(Candidate& candidate, bool integers) {
    std::vector<Initializer> found;
    for (auto* graph : all_graphs(candidate)) {
        for (int i = 0; i < graph->initializer_size(); ++i) {
            const auto& tensor = graph->initializer(i);
            const auto type = type_of(tensor);
            const bool is_known = type && !tensor.raw_data().empty();
            if (is_known && (!integers || is_integral(*type))) found.push_back({graph, i});
        }
    }
    return found;
}

Tensor value_of(const rondo_onnx::TensorProto& tensor) {
    Shape shape;
    for (const std::int64_t extent : tensor.dims()) {
        shape.push_back(static_cast<std::size_t>(extent));
    }
    Tensor value(*type_of(tensor), shape);
    std::memcpy(value.data(), tensor.raw_data().data(), value.byte_size());
    return value;
}

// Its shape is open, and each run gets the value that it had. One of another body may have its
// name.
void open_initializer(Candidate& candidate, const Initializer& at) {
    const rondo_onnx::TensorProto tensor = at.graph->initializer(at.index);
    const auto& inputs = candidate.graph().input();
    const bool is_taken = std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
        return input.name() == tensor.name();
    });
    if (is_taken) return;
    erase_at(*at.graph->mutable_initializer(), at.index);
    auto& input = *candidate.graph().add_input();
    input.set_name(tensor.name());
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(tensor.data_type());
    for (int i = 0; i < tensor.dims_size(); ++i) type.mutable_shape()->add_dim();
    if (tensor.dims_size() == 0) type.mutable_shape();
    for (auto& inputs : candidate.inputs) inputs.push_back({tensor.name(), value_of(tensor)});
}

void set_integer(Tensor& tensor, std::size_t index, std::int64_t value) {
    if (tensor.element_type() == ElementType::i64) tensor.data<std::int64_t>()[index] = value;
    if (tensor.element_type() == ElementType::i32) {
        tensor.data<std::int32_t>()[index] = static_cast<std::int32_t>(value);
    }
}

std::int64_t odd_value(std::int64_t old, Rng& rng) {
    constexpr std::int64_t kValues[] = {-1000,
                                        -2,
                                        -1,
                                        0,
                                        1,
                                        2,
                                        1000,
                                        std::int64_t{1} << 40,
                                        std::numeric_limits<std::int64_t>::max(),
                                        std::numeric_limits<std::int64_t>::min()};
    if (chance(rng, 0.4)) return old + (chance(rng, 0.5) ? 1 : -1);
    return one_of(kValues, rng);
}

Tensor with_other_integer(const Tensor& tensor, Rng& rng) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    const auto at = static_cast<std::size_t>(index_below(rng, copy.size()));
    set_integer(copy, at, odd_value(static_cast<std::int64_t>(element_at(tensor, at)), rng));
    return copy;
}

// The elements are repeated.
Tensor with_extent(const Tensor& tensor, std::size_t axis, std::size_t extent) {
    Shape shape = tensor.shape();
    shape[axis] = extent;
    Tensor changed(tensor.element_type(), shape);
    const std::size_t bytes = tensor.byte_size();
    auto* to = static_cast<char*>(changed.data());
    if (bytes == 0) std::memset(to, 0, changed.byte_size());
    for (std::size_t i = 0; bytes > 0 && i < changed.byte_size(); ++i) {
        to[i] = static_cast<const char*>(tensor.data())[i % bytes];
    }
    return changed;
}

std::size_t other_extent(std::size_t old, Rng& rng) {
    const std::size_t extents[] = {0, 1, old + 1, 2 * old, old == 0 ? 2 : old - 1};
    return one_of(extents, rng);
}

std::vector<std::size_t> open_axes(const Candidate& candidate, const std::string& input) {
    std::vector<std::size_t> axes;
    for (const auto& declared : candidate.graph().input()) {
        if (declared.name() != input) continue;
        const auto& extents = declared.type().tensor_type().shape().dim();
        for (int i = 0; i < extents.size(); ++i) {
            if (!extents[i].has_dim_value()) axes.push_back(static_cast<std::size_t>(i));
        }
    }
    return axes;
}

void change(const Candidate& candidate, NamedTensor& input, Rng& rng) {
    const bool has_integers = is_integral(input.value.element_type()) && input.value.size() > 0;
    const auto axes = open_axes(candidate, input.name);
    if (has_integers && (axes.empty() || chance(rng, 0.6))) {
        input.value = with_other_integer(input.value, rng);
    } else if (!axes.empty()) {
        const std::size_t axis = one_of(axes, rng);
        input.value = with_extent(input.value, axis, other_extent(input.value.shape()[axis], rng));
    }
}

// The text between the first two quotation marks.
std::optional<std::string> first_name(const std::string& message) {
    const std::size_t begin = message.find('\'');
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = message.find('\'', begin + 1);
    if (end == std::string::npos) return std::nullopt;
    return message.substr(begin + 1, end - begin - 1);
}

class FaultCheck {
public:
    explicit FaultCheck(const RandomModel& model) : model_(model), names_(names_in(model.bytes)) {}

    FaultReport run() {
        run_on_devices([&] { return read(); });
        const int errors_of_runs = report_.errors_of_runs;
        attempt("reshape", [&] { run_reshaped(); });
        attempt("IR", [&] { run_as_ir(); });
        report_.errors_of_runs = errors_of_runs;
        return report_;
    }

private:
    template <typename Action>
    void attempt(const std::string& device, const Action& action) {
        try {
            action();
        } catch (const Error& error) {
            check(device, error.what());
        }
    }

    Model read() const { return core_.read_model(model_.bytes.data(), model_.bytes.size()); }

    // A model that can't be read, or that a device refuses, is an error, too.
    void run_on_devices(const std::function<Model()>& model) {
        for (const char* device : {"CPU", "REFERENCE"}) {
            attempt(device, [&] { run_on(device, model()); });
        }
    }

    // To the shapes that the first run feeds.
    void run_reshaped() {
        Model model = read();
        std::map<std::string, PartialShape> shapes;
        for (const auto& [name, value] : model_.inputs.front()) {
            shapes.emplace(name, PartialShape(value.shape()));
        }
        model.reshape(shapes);
        run_on_devices([&] { return model; });
    }

    // Messages may name what the IR has, such as ops that a converter has made.
    void run_as_ir() {
        const std::string path = temporary_path("faults.xml");
        save_model(read(), path);
        add_names_of_ir(path);
        run_on_devices([&] { return core_.read_model(path); });
    }

    void add_names_of_ir(const std::string& path) {
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        static const std::regex kName(" names?=\"([^\"]*)\"");
        for (std::sregex_iterator at(text.begin(), text.end(), kName), end; at != end; ++at) {
            names_.insert((*at)[1]);
        }
    }

    void run_on(const std::string& device, const Model& model) {
        auto compiled = core_.compile_model(model, device, kLimits);
        auto request = compiled.create_infer_request();
        for (const auto& inputs : model_.inputs) {
            attempt(device, [&] {
                for (const auto& [name, value] : inputs) request.set_tensor(name, value);
                request.infer();
            });
        }
    }

    void check(const std::string& device, const std::string& message) {
        if (message.find("node ") != std::string::npos) ++report_.errors_of_runs;
        const auto name = first_name(message);
        if (!report_.failure.empty() || (name && names_.contains(*name))) return;
        report_.failure = device + ": no name of the file comes first in: " + message;
    }

    const Core core_;
    const RandomModel& model_;
    std::set<std::string> names_;
    FaultReport report_;
};

}  // namespace

RandomModel with_faults(const RandomModel& model, std::uint64_t seed) {
    Rng rng(seed + 0xfa017);
    Candidate candidate(model);
    for (std::int64_t count = uniform_int(rng, 0, 2); count > 0; --count) {
        auto initializers = initializers_of(candidate, chance(rng, 0.6));
        if (!initializers.empty()) open_initializer(candidate, one_of(initializers, rng));
    }
    for (auto& inputs : candidate.inputs) {
        if (inputs.empty()) continue;  // the model has none
        for (std::int64_t count = uniform_int(rng, 1, 2); count > 0; --count) {
            change(candidate, one_of(inputs, rng), rng);
        }
    }
    return candidate.model();
}

std::set<std::string> names_in(const std::string& bytes) {
    RandomModel model;
    model.bytes = bytes;
    Candidate candidate(model);
    std::set<std::string> names;
    for (const auto* graph : all_graphs(candidate)) {
        for (const auto& input : graph->input()) names.insert(input.name());
        for (const auto& tensor : graph->initializer()) names.insert(tensor.name());
        for (const auto& node : graph->node()) {
            names.insert(node.name());
            names.insert(node.output().begin(), node.output().end());
        }
    }
    names.erase("");
    return names;
}

FaultReport report_of_faults(const RandomModel& model) { return FaultCheck(model).run(); }

}  // namespace rondo::test
