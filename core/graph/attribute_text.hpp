// Attributes as text, in the form of OpenVINO's IR, and back.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/attribute_visitor.hpp"

namespace rondo {

/// A float as the IR writes it outside of lists: its double with 17 digits, so 0.1f is
/// "0.10000000149011612". In lists it is the shortest text that gives the float back: "0.1".
std::string attribute_text(float value);

/// Collects (name, text) in the order of the walk.
class AttributeTextWriter final : public AttributeWriter {
public:
    std::vector<std::pair<std::string, std::string>> take() { return std::move(texts_); }

    void on(std::string_view name, const bool& value) override;
    void on(std::string_view name, const std::int64_t& value) override;
    void on(std::string_view name, const float& value) override;
    void on(std::string_view name, const std::string& value) override;
    void on(std::string_view name, const ElementType& value) override;
    void on(std::string_view name, const PartialShape& value) override;
    void on(std::string_view name, const std::vector<std::int64_t>& value) override;
    void on(std::string_view name, const std::vector<float>& value) override;
    void on(std::string_view name, const std::vector<std::string>& value) override;

private:
    void put(std::string_view name, std::string text);
    std::vector<std::pair<std::string, std::string>> texts_;
};

/// Reads attributes from text; one that `find` doesn't know keeps its default. Throws ModelError
/// that names the attribute, the text and what was expected.
class AttributeTextReader final : public AttributeReader {
public:
    using Find = std::function<std::optional<std::string>(std::string_view name)>;
    explicit AttributeTextReader(Find find) : find_(std::move(find)) {}

    void on(std::string_view name, bool& value) override;
    void on(std::string_view name, std::int64_t& value) override;
    void on(std::string_view name, float& value) override;
    void on(std::string_view name, std::string& value) override;
    void on(std::string_view name, ElementType& value) override;
    void on(std::string_view name, PartialShape& value) override;
    void on(std::string_view name, std::vector<std::int64_t>& value) override;
    void on(std::string_view name, std::vector<float>& value) override;
    void on(std::string_view name, std::vector<std::string>& value) override;

protected:
    std::string choice(std::string_view name, const std::vector<std::string>& names) override;

private:
    Find find_;
};

}  // namespace rondo
