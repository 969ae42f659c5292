#include "tests/fuzz/mutate_ir.hpp"

#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "tests/fuzz/joined_ir.hpp"
#include "tests/fuzz/mutate.hpp"

namespace rondo::test {
namespace {

constexpr std::array<const char*, 24> kValues = {
    "0",   "1",  "2",     "3",     "-1",    "-2",      "64",         "65536",
    "",    "?",  "1..4",  "true",  "false", "f32",     "i64",        "boolean",
    "f16", "u8", "1,2,3", "-1,-1", "tanh",  "forward", "4294967296", "9223372036854775807"};

class IrMutator {
public:
    IrMutator(pugi::xml_document& document, Rng& rng) : document_(document), rng_(rng) {
        collect(document.document_element());
    }

    void change() {
        using Change = void (IrMutator::*)();
        constexpr std::array<Change, 9> kChanges = {
            &IrMutator::set_value,      &IrMutator::set_value,    &IrMutator::take_value,
            &IrMutator::take_value,     &IrMutator::remove_value, &IrMutator::double_element,
            &IrMutator::remove_element, &IrMutator::move_element, &IrMutator::set_text};
        (this->*one_of(kChanges, rng_))();
    }

private:
    void collect(pugi::xml_node element) {
        elements_.push_back(element);
        for (pugi::xml_attribute attribute : element.attributes()) {
            attributes_.push_back(attribute);
            owners_.push_back(element);
        }
        for (pugi::xml_node child : element.children()) {
            if (child.type() == pugi::node_element) collect(child);
        }
    }

    void set_value() {
        if (!attributes_.empty()) one_of(attributes_, rng_).set_value(one_of(kValues, rng_));
    }
    // That of an attribute of the same name elsewhere: another type, id or shape.
    void take_value() {
        if (attributes_.empty()) return;
        auto& attribute = one_of(attributes_, rng_);
        std::vector<std::string> values;
        for (const auto& other : attributes_) {
            if (std::string_view(other.name()) == attribute.name())
                values.emplace_back(other.value());
        }
        attribute.set_value(one_of(values, rng_).c_str());
    }
    void remove_value() {
        if (attributes_.empty()) return;
        const std::size_t at = below(rng_, attributes_.size());
        owners_[at].remove_attribute(attributes_[at]);
    }
    void double_element() {
        pugi::xml_node element = one_of(elements_, rng_);
        if (element != document_.document_element())
            element.parent().insert_copy_after(element, element);
    }
    void remove_element() {
        pugi::xml_node element = one_of(elements_, rng_);
        if (element != document_.document_element()) element.parent().remove_child(element);
    }
    void move_element() {
        pugi::xml_node element = one_of(elements_, rng_);
        if (element != document_.document_element()) one_of(elements_, rng_).append_copy(element);
    }
    void set_text() {
        std::vector<pugi::xml_node> texts;
        for (const auto& element : elements_) {
            if (!element.text().empty()) texts.push_back(element);
        }
        if (!texts.empty()) one_of(texts, rng_).text().set(one_of(kValues, rng_));
    }

    pugi::xml_document& document_;
    Rng& rng_;
    std::vector<pugi::xml_node> elements_;
    std::vector<pugi::xml_attribute> attributes_;
    std::vector<pugi::xml_node> owners_;  // of the attributes
};

std::string to_text(const pugi::xml_document& document) {
    std::ostringstream text;
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
    return text.str();
}

}  // namespace

std::string mutated_ir(const std::string& bytes, Rng& rng) {
    const JoinedIr ir = split_ir(bytes);
    const std::string weights(ir.weights);
    if (!weights.empty() && below(rng, 4) == 0) return std::string(ir.xml) + mutated(weights, rng);
    pugi::xml_document document;
    if (!document.load_buffer(ir.xml.data(), ir.xml.size())) return {};
    const std::size_t count = 1 + below(rng, 3);
    for (std::size_t i = 0; i < count; ++i) IrMutator(document, rng).change();
    return to_text(document) + weights;
}

}  // namespace rondo::test
