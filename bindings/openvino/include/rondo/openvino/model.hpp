// OpenVINO's Model and what is done with it, for rondo/openvino.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/model.hpp"
#include "rondo/openvino/node.hpp"

namespace rondo::ov {

/// Programs hold it by a shared_ptr: Core::read_model() makes it.
class Model {
public:
    explicit Model(rondo::Model model) : model_((std::move)(model)) {}

    std::vector<Output<Node>> inputs() { return ports<Node>(PortKind::input); }
    std::vector<Output<const Node>> inputs() const { return ports<const Node>(PortKind::input); }
    std::vector<Output<Node>> outputs() { return ports<Node>(PortKind::output); }
    std::vector<Output<const Node>> outputs() const { return ports<const Node>(PortKind::output); }
    /// The only one, one by its place, and one by any of its names. They throw ov::Exception if
    /// there is no such one.
    Output<Node> input() { return only_port(inputs(), "input"); }
    Output<Node> input(std::size_t index) { return port_at(inputs(), index, "input"); }
    Output<Node> input(const std::string& name) { return named(inputs(), name, "input"); }
    Output<const Node> input() const { return only_port(inputs(), "input"); }
    Output<const Node> input(std::size_t index) const { return port_at(inputs(), index, "input"); }
    Output<const Node> input(const std::string& name) const {
        return named(inputs(), name, "input");
    }
    Output<Node> output() { return only_port(outputs(), "output"); }
    Output<Node> output(std::size_t index) { return port_at(outputs(), index, "output"); }
    Output<Node> output(const std::string& name) { return named(outputs(), name, "output"); }
    Output<const Node> output() const { return only_port(outputs(), "output"); }
    Output<const Node> output(std::size_t index) const {
        return port_at(outputs(), index, "output");
    }
    Output<const Node> output(const std::string& name) const {
        return named(outputs(), name, "output");
    }

    std::size_t get_output_size() const { return model_.outputs().size(); }
    element::Type get_output_element_type(std::size_t index) const {
        return output(index).get_element_type();
    }
    Shape get_output_shape(std::size_t index) const { return output(index).get_shape(); }
    PartialShape get_output_partial_shape(std::size_t index) const {
        return output(index).get_partial_shape();
    }

    const std::string& get_name() const { return model_.name(); }
    const std::string& get_friendly_name() const { return model_.name(); }
    void set_friendly_name(const std::string& name) { model_.set_name(name); }

    /// Gives inputs new shapes and infers all others again. On an error nothing changes.
    void reshape(const PartialShape& shape) {
        model_.reshape({{input().get_any_name(), shape.native()}});
    }
    void reshape(const std::map<std::string, PartialShape>& shapes) {
        std::map<std::string, rondo::PartialShape> named_shapes;
        for (const auto& [name, shape] : shapes) named_shapes[name] = shape.native();
        model_.reshape(named_shapes);
    }
    void reshape(const std::map<std::size_t, PartialShape>& shapes) {
        std::map<std::string, PartialShape> named_shapes;
        for (const auto& [place, shape] : shapes) {
            named_shapes[input(place).get_any_name()] = shape;
        }
        reshape(named_shapes);
    }
    void reshape(const std::map<Output<Node>, PartialShape>& shapes) {
        std::map<std::string, PartialShape> named_shapes;
        for (const auto& [port, shape] : shapes) named_shapes[port.get_any_name()] = shape;
        reshape(named_shapes);
    }
    bool is_dynamic() const {
        for (const NodeInfo& node : model_.nodes()) {
            for (const PortInfo& port : node.outputs) {
                if (!port.shape.is_static()) return true;
            }
        }
        return false;
    }

    /// Every node comes after those that it reads.
    NodeVector get_ops() const { return nodes_of(model_); }
    NodeVector get_ordered_ops() const { return nodes_of(model_); }
    NodeVector get_parameters() const { return nodes_of(model_, "Parameter"); }
    NodeVector get_results() const { return nodes_of(model_, "Result"); }

    /// A copy of what the model says of itself; nested names are joined by '/'.
    const AnyMap get_rt_info() const {
        const auto info = model_.rt_info();
        return AnyMap(info.begin(), info.end());
    }
    /// The value at a path of names. Throws ov::Exception if there is none.
    template <typename T, typename... Names>
    T get_rt_info(const Names&... names) const {
        const auto info = model_.rt_info();
        const auto at = info.find(path_of(names...));
        if (at == info.end()) {
            throw ModelError("the model's rt_info has no '" + path_of(names...) + "'");
        }
        return Any(at->second).as<T>();
    }
    template <typename... Names>
    bool has_rt_info(const Names&... names) const {
        return model_.rt_info().count(path_of(names...)) != 0;
    }
    /// Kept as text, which the IR holds.
    template <typename T, typename... Names>
    void set_rt_info(const T& value, const Names&... names) {
        model_.set_rt_info(path_of(names...), Any(value).template as<std::string>());
    }

    std::shared_ptr<Model> clone() const { return std::make_shared<Model>(model_.clone()); }

    /// For Rondo's own code.
    const rondo::Model& native() const { return model_; }
    rondo::Model& native() { return model_; }

private:
    template <typename N>
    std::vector<Output<N>> ports(PortKind kind) const {
        return ports_of<N>(kind == PortKind::input ? model_.inputs() : model_.outputs(), kind,
                           model_.graph().get(), [model = model_] { return model; });
    }
    template <typename N>
    static Output<N> named(const std::vector<Output<N>>& ports, const std::string& name,
                           const char* kind) {
        return ports[find_port(ports, name, kind)];
    }
    static std::string path_of(const std::vector<std::string>& names) {
        std::string path;
        for (const std::string& name : names) path += (path.empty() ? "" : "/") + name;
        return path;
    }
    template <typename... Names>
    static std::string path_of(const std::string& first, const Names&... names) {
        return path_of(std::vector<std::string>{first, names...});
    }

    rondo::Model model_;
};

/// Throws ov::Exception if the pointer is null.
template <typename M>
auto& checked(const std::shared_ptr<M>& model) {
    if (model == nullptr) throw ModelError("the model is empty; read one with Core::read_model()");
    return *model;
}

/// Writes the IR as it is. Throws ov::Exception for weights that aren't beside the XML.
inline void serialize(const std::shared_ptr<const Model>& model, const std::filesystem::path& xml,
                      const std::filesystem::path& bin = {}) {
    if (!bin.empty() && bin != std::filesystem::path(xml).replace_extension(".bin")) {
        throw UnsupportedError("serialize: the weights go beside the XML, as " +
                               std::filesystem::path(xml).replace_extension(".bin").string() +
                               ", not to " + bin.string());
    }
    rondo::save_model_as("ir", checked(model).native(), xml.string());
}

/// Unlike OpenVINO's, it keeps f32 weights unless `compress_to_fp16` is true.
inline void save_model(const std::shared_ptr<const Model>& model, const std::filesystem::path& path,
                       bool compress_to_fp16 = false) {
    rondo::save_model(checked(model).native(), path.string(), compress_to_fp16);
}

/// Throws ov::Exception that names the op if rows depend on each other.
inline void set_batch(const std::shared_ptr<Model>& model, const Dimension& batch) {
    checked(model).native().set_batch(batch);
}

}  // namespace rondo::ov
