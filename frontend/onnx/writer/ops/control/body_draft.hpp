// The body of a node that is being written.
#pragma once

#include <set>
#include <string>

#include "core/ops/control/body_op.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"

namespace rondo::onnx {

/// Parameters are named first, then write_nodes() is called, and then results are added. A value
/// of the graph around is read by its name.
class BodyDraft {
public:
    BodyDraft(WriteContext& context, const Graph& body, rondo_onnx::GraphProto& message)
        : file_(context.draft().file()), body_(body), draft_(file_, message) {}

    GraphDraft& draft() { return draft_; }
    Output parameter(std::size_t index) const { return body_.parameters()[index]->output(0); }
    void set_parameter(std::size_t index, const std::string& name) {
        draft_.set_name(parameter(index), name);
    }
    /// A new input of the body.
    std::string add_input(const std::string& name, ElementType type, const PartialShape& shape);
    /// One of the parameter's type and shape.
    void add_parameter(std::size_t index);

    void write_nodes() { file_.write_nodes(body_, draft_); }
    std::string result(std::size_t index) { return draft_.name_of(source_of(index)); }
    const Output& source_of(std::size_t result) const { return body_.results()[result]->input(0); }

    /// An output of the body, of that type and shape: the value itself where a node of the body
    /// makes it, once.
    void add_output(const std::string& value, ElementType type, const PartialShape& shape);
    void add_result(std::size_t index);

private:
    bool is_made_here(const std::string& value);

    FileDraft& file_;
    const Graph& body_;
    GraphDraft draft_;
    std::set<std::string> outputs_;
};

}  // namespace rondo::onnx
