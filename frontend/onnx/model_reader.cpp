// Recognises ONNX models by their first bytes, and reads them into graphs.
#include <google/protobuf/arena.h>
#include <google/protobuf/stubs/logging.h>
#include <rondo_onnx.pb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/origins.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/support/errors.hpp"
#include "core/support/log.hpp"
#include "frontend/onnx/graph_inputs.hpp"
#include "frontend/onnx/graph_reader.hpp"
#include "frontend/onnx/messages/large_data.hpp"
#include "frontend/onnx/messages/message_lists.hpp"
#include "frontend/onnx/onnx.hpp"
#include "frontend/onnx/unneeded_parts.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::ModelProto;
using Shapes = std::vector<PartialShape>;

// Protobuf's own limits hold: messages nested at most 100 deep, 2 GiB in all.
void parse(const ModelSource& source, ModelProto& model) {
    if (source.size == 0) throw ModelError("the file is empty");
    if (source.size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw ModelError("the file has " + std::to_string(source.size) +
                         " bytes; expected less than 2 GiB: larger models keep their weights in "
                         "files of external data");
    }
    const google::protobuf::LogSilencer silence;
    const std::string lean = without_large_data(source);
    const bool is_message = lean.empty()
                                ? model.ParseFromArray(source.data, static_cast<int>(source.size))
                                : model.ParseFromString(lean);
    if (!is_message) {
        throw ModelError("can't be parsed as an ONNX model: truncated or corrupt");
    }
}

bool is_fact(const std::string& key) { return key == kFixedExtents || key == kConstantInputs; }

// Keeps facts of the message that the ONNX writer needs.
void keep_facts(const ModelProto& model, Graph& graph) {
    for (const auto& entry : model.metadata_props()) {
        if (is_fact(entry.key())) graph.rt_info()[entry.key()] = entry.value();
    }
    for (int i = 0; i < model.graph().output_size(); ++i) {
        const auto& declared = model.graph().output(i).type().tensor_type();
        Node& result = *graph.results()[static_cast<std::size_t>(i)];
        if (result.output_shape(0).has_rank() || !declared.has_shape()) continue;
        result.rt_info()[kDeclaredRank] = std::to_string(declared.shape().dim_size());
    }
}

std::string place_of(const ModelSource& source) {
    return source.path.empty() ? "the model" : source.path;
}

void leave_out_unneeded(ModelProto& model, const ModelSource& source) {
    const UnneededParts removed = remove_unneeded(model);
    if (removed.empty() || !log_enabled(LogLevel::info)) return;
    log(LogLevel::info, one_line(place_of(source) + ": " + text_of(removed)));
}

std::shared_ptr<Graph> read_message(ModelProto& model, const ModelSource& source,
                                    std::vector<Tensor>& weights) {
    settle_inputs(model, source.keeps_inputs);
    leave_out_unneeded(model, source);
    auto graph = read_graph(model, source, weights);
    inherit_origins(*graph);
    keep_facts(model, *graph);
    return graph;
}

// Extents that aren't known are left open.
void declare(const PartialShape& shape, rondo_onnx::ValueInfoProto& input) {
    if (!input.type().has_tensor_type()) return;
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.clear_shape();
    if (!shape.has_rank()) return;
    auto& message = *type.mutable_shape();
    for (const Dimension& extent : shape.dimensions()) {
        auto& declared = *message.add_dim();
        if (extent.is_static()) declared.set_dim_value(extent.length());
    }
}

// The shapes of inputs that aren't initializers, in order.
void declare_inputs(const Shapes& shapes, rondo_onnx::GraphProto& graph) {
    const auto initializers = initializer_names(graph);
    auto shape = shapes.begin();
    for (auto& input : *graph.mutable_input()) {
        if (initializers.contains(input.name())) continue;
        internal_check(shape != shapes.end(), "a model has more inputs than parameters");
        declare(*shape++, input);
    }
}

// A message whose weights are kept beside it.
struct Kept {
    std::string message;
    std::vector<ReloadableTensor> weights;  // of the graph's initializers
    MappedFile file;                        // has other large tensors
    ModelLimits limits;
};

class MessageOrigin final : public GraphOrigin {
public:
    MessageOrigin(std::shared_ptr<const Kept> kept, Shapes shapes)
        : GraphOrigin(std::move(shapes)), kept_(std::move(kept)) {}

    std::shared_ptr<Graph> read(const Shapes& shapes) const override {
        google::protobuf::Arena arena;
        auto& model = *google::protobuf::Arena::CreateMessage<ModelProto>(&arena);
        if (!model.ParseFromString(kept_->message)) internal_error("a kept message is broken");
        declare_inputs(shapes, *model.mutable_graph());
        ModelSource source;  // no path: files beside the model may be others by now
        source.data = kept_->file.data;
        source.size = kept_->file.size;
        source.owner = kept_->file.owner;
        source.limits = kept_->limits;
        if (has_references(kept_->message)) check_as_mapped(kept_->file);
        std::vector<Tensor> weights;
        std::size_t bytes = kept_->message.size();
        for (const ReloadableTensor& tensor : kept_->weights) {
            weights.push_back(tensor.load());
            bytes += weights.back().byte_size();
        }
        source.size = std::max(source.size, bytes);  // as many as the files had
        auto graph = read_message(model, source, weights);
        graph->set_origin(std::make_shared<MessageOrigin>(kept_, shapes));
        return graph;
    }

private:
    std::shared_ptr<const Kept> kept_;
};

// Null if too much besides the weights would be kept.
std::shared_ptr<GraphOrigin> origin_of(ModelProto& model, const ModelSource& source,
                                       std::vector<Tensor> weights, Shapes shapes) {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
        const std::string name = tensor.name();
        tensor.Clear();
        tensor.set_name(name);
    }
    if (model.ByteSizeLong() > kMostBytes) return nullptr;
    auto kept = std::make_shared<Kept>();
    for (Tensor& tensor : weights) kept->weights.emplace_back(std::move(tensor));
    kept->limits = source.limits;
    if (mapping_of(source.owner) != nullptr) kept->file = {source.data, source.size, source.owner};
    if (!model.SerializePartialToString(&kept->message)) return nullptr;
    return std::make_shared<MessageOrigin>(std::move(kept), std::move(shapes));
}

}  // namespace

namespace {

// `use` gets the message; errors name the source.
template <typename Use>
auto with_message(const ModelSource& source, const Use& use) {
    const auto place = [&] { return place_of(source); };
    return at_place(place, [&] {
        // If memory runs out half-way, the arena still has all parts of the message.
        google::protobuf::Arena arena;
        auto& model = *google::protobuf::Arena::CreateMessage<ModelProto>(&arena);
        parse(source, model);
        if (!model.has_graph()) throw ModelError("the ONNX model holds no graph");
        return use(model);
    });
}

}  // namespace

std::vector<NodeSupport> query(const ModelSource& source) {
    return with_message(source, [&](ModelProto& model) {
        settle_inputs(model, source.keeps_inputs);
        return query_graph(model, source);
    });
}

std::shared_ptr<Graph> read(const ModelSource& source) {
    return with_message(source, [&](ModelProto& model) {
        std::vector<Tensor> weights;
        auto graph = read_message(model, source, weights);
        drop_pages({source.data, source.size, source.owner});
        Shapes shapes = parameter_shapes(*graph);
        if (std::none_of(shapes.begin(), shapes.end(), has_known_extent)) return graph;
        if (auto origin = origin_of(model, source, std::move(weights), std::move(shapes))) {
            graph->set_origin(std::move(origin));
        } else {
            graph->rt_info()[kFixedExtents] = "true";
        }
        return graph;
    });
}

namespace {

// Wire format: https://protobuf.dev/programming-guides/encoding/
constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kLength = 2;
constexpr std::uint64_t kIrVersion = 1;
constexpr std::uint64_t kNewestThinkableIrVersion = 1000;

struct Field {
    std::uint64_t number;
    std::uint64_t wire;
};

// ModelProto's fields.
constexpr std::array kFields = {
    Field{kIrVersion, kVarint}, Field{2, kLength},  Field{3, kLength},  Field{4, kLength},
    Field{5, kVarint},          Field{6, kLength},  Field{7, kLength},  Field{8, kLength},
    Field{14, kLength},         Field{20, kLength}, Field{25, kLength}, Field{26, kLength},
};

// Walks the outermost fields.
class FieldWalker {
public:
    explicit FieldWalker(const ModelSource& source) : at_(source.data), left_(source.size) {}

    bool done() const { return left_ == 0; }

    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && left_ > 0; shift += 7) {
            const auto byte = static_cast<std::uint64_t>(*at_);
            skip(1);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

    bool skip(std::uint64_t count) {
        if (count > left_) return false;
        at_ += count;
        left_ -= count;
        return true;
    }

private:
    const std::byte* at_;
    std::size_t left_;
};

std::optional<Field> known_field(FieldWalker& walker) {
    const auto tag = walker.varint();
    if (!tag) return std::nullopt;
    for (const auto& field : kFields) {
        if (field.number == *tag >> 3 && field.wire == (*tag & 7)) return field;
    }
    return std::nullopt;
}

// Reads one field; returns its number and, if it is a varint, its value.
bool walk_field(FieldWalker& walker, std::uint64_t& number, std::uint64_t& value) {
    const auto field = known_field(walker);
    const auto content = field ? walker.varint() : std::nullopt;
    if (!content) return false;
    number = field->number;
    value = *content;
    return field->wire == kVarint || walker.skip(*content);
}

}  // namespace

// Writers put ir_version first, and few other files start like that. If it isn't first, all fields
// must be a model's, since a tag alone may be an ordinary letter.
bool can_read(const ModelSource& source) {
    FieldWalker walker(source);
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    if (!walk_field(walker, number, value)) return false;
    if (number == kIrVersion) return value <= kNewestThinkableIrVersion;
    while (!walker.done()) {
        if (!walk_field(walker, number, value)) return false;
    }
    return true;
}

}  // namespace rondo::onnx
