#include "bindings/onnxruntime/src/part_notes.hpp"

#include <charconv>
#include <cstdint>
#include <sstream>

#include "bindings/onnxruntime/src/host_graph.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

void add_numbers(std::string& text, const char* word, const std::vector<std::size_t>& numbers) {
    text += word;
    for (const auto number : numbers) text += ' ' + std::to_string(number);
}

[[noreturn]] void refuse_notes(const std::string& text) {
    throw ModelError("notes is " + in_quotes(text.substr(0, 80)) +
                     "; expected 'inputs ...; outputs ...; bytes BEGIN SIZE'");
}

// "word 1 2 3"
std::vector<std::uint64_t> read_numbers(std::istream& from, const std::string& word,
                                        const std::string& text) {
    std::string clause;
    std::getline(from, clause, ';');
    std::istringstream words(clause);
    std::string each;
    if (!(words >> each) || each != word) refuse_notes(text);
    std::vector<std::uint64_t> numbers;
    while (words >> each) {
        std::uint64_t number = 0;
        const auto* end = each.data() + each.size();
        const auto [at, error] = std::from_chars(each.data(), end, number);
        if (error != std::errc() || at != end) refuse_notes(text);
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

std::string text_of(const PartNotes& notes) {
    std::string text;
    add_numbers(text, "inputs", notes.inputs);
    add_numbers(text, "; outputs", notes.outputs);
    add_numbers(text, "; bytes", {notes.bytes.begin, notes.bytes.size});
    return text;
}

PartNotes read_notes(const std::string& text) {
    std::istringstream from(text);
    PartNotes notes;
    notes.inputs = read_numbers(from, "inputs", text);
    notes.outputs = read_numbers(from, "outputs", text);
    const auto bytes = read_numbers(from, "bytes", text);
    if (bytes.size() != 2 || !from.eof()) refuse_notes(text);
    notes.bytes = {bytes[0], bytes[1]};
    return notes;
}

}  // namespace rondo::ort
