// Finds what the names of inputs and outputs say about states.
#include "transformations/streaming/find_state_pairs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace rondo::passes {
namespace {

// They say that a name is that of a port, or when the value is a state's.
constexpr std::array<std::string_view, 33> kMarks{
    "0",   "n",       "t",      "in",      "out",     "i",        "o",    "input",   "output",
    "inp", "inputs",  "outp",   "outputs", "prev",    "previous", "last", "past",    "old",
    "new", "next",    "now",    "cur",     "current", "present",  "init", "initial", "final",
    "y",   "updated", "update", "ret",     "return",  "serving"};
constexpr std::array<std::string_view, 28> kStateWords{
    "state",    "states", "hidden", "hiddens", "h",   "c",      "hx",      "cx",    "hs",   "cs",
    "cell",     "cells",  "cache",  "caches",  "buf", "buffer", "buffers", "carry", "past", "prev",
    "previous", "last",   "lstm",   "gru",     "rnn", "hn",     "cn",      "mem"};

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_upper(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }
bool is_lower(char letter) { return std::islower(static_cast<unsigned char>(letter)) != 0; }

std::string without_digits(std::string word) {
    while (!word.empty() && is_digit(word.back())) word.pop_back();
    return word;
}

// TensorFlow's names end in the number of an output: "h:0".
std::string without_output_number(const std::string& name) {
    std::string start = without_digits(name);
    if (start.empty() || start.back() != ':') return name;
    start.pop_back();
    return start;
}

// "stateN" is "state" and "n"; dots, dashes and the like separate words.
std::vector<std::string> words_of(const std::string& whole) {
    const std::string name = without_output_number(whole);
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char letter = name[i];
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) {
            words.emplace_back();
            continue;
        }
        if (i > 0 && is_upper(letter) && is_lower(name[i - 1])) words.emplace_back();
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    std::erase(words, "");
    return words;
}

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

// "hn" and "h0" are "h", but "h10" is another layer's.
std::string without_time(std::string word) {
    const bool has_time = word.size() > 1 && (word.back() == 'n' || word.back() == '0');
    if (has_time && !is_digit(word[word.size() - 2])) word.pop_back();
    return word;
}

}  // namespace

std::string stem_of(const std::string& name) {
    std::vector<std::string> kept;
    for (const std::string& word : words_of(name)) {
        if (!is_among(kMarks, word)) kept.push_back(without_time(word));
    }
    const bool has_letters = std::any_of(kept.begin(), kept.end(), [](const std::string& word) {
        return !without_digits(word).empty();
    });
    std::string stem;
    for (const std::string& word : kept) stem += (stem.empty() ? "" : "_") + word;
    return has_letters ? stem : "";
}

bool sounds_like_state(const std::string& name) {
    const auto words = words_of(name);
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return is_among(kStateWords, word) || is_among(kStateWords, without_digits(word));
    });
}

}  // namespace rondo::passes
