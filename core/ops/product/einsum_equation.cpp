#include "core/ops/product/einsum_equation.hpp"

#include <algorithm>
#include <cctype>

#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

// Labels of the axes of "..." lie above all letters: the last axis has this one.
constexpr EinsumLabel kFirstEllipsis = 256;

constexpr const char* kEllipsis = "...";

// One tensor's part of the text.
struct Term {
    std::string letters;
    std::optional<std::size_t> ellipsis;  // the number of letters before it
};

[[noreturn]] void fail(const std::string& text, const std::string& what) {
    throw ModelError("attribute 'equation' is '" + text + "': " + what);
}

Term parse_term(const std::string& text, const std::string& part) {
    Term term;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const char letter = part[i];
        if (part.compare(i, 3, kEllipsis) == 0) {
            if (term.ellipsis) fail(text, "'" + part + "' has '...' twice");
            term.ellipsis = term.letters.size();
            i += 2;
        } else if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
            term.letters += letter;
        } else {
            fail(text, "'" + part + "' has '" + letter + "'; expected letters and '...'");
        }
    }
    return term;
}

// With `ellipsis` axes in place of "...".
EinsumLabels labels_of(const Term& term, std::size_t ellipsis) {
    EinsumLabels labels(term.letters.begin(), term.letters.end());
    if (!term.ellipsis) return labels;
    EinsumLabels axes;
    for (std::size_t i = ellipsis; i-- > 0;) {
        axes.push_back(kFirstEllipsis + static_cast<EinsumLabel>(i));
    }
    labels.insert(labels.begin() + static_cast<std::ptrdiff_t>(*term.ellipsis), axes.begin(),
                  axes.end());
    return labels;
}

// How many axes "..." means in a term.
std::size_t ellipsis_axes(const std::string& text, const Term& term, std::size_t number,
                          std::optional<std::size_t> rank) {
    const std::size_t letters = term.letters.size();
    const std::string input = "input " + std::to_string(number);
    if (!rank) {
        if (!term.ellipsis) return 0;
        throw UnsupportedError("attribute 'equation' has '...', but the rank of " + input +
                               " isn't known");
    }
    if (term.ellipsis ? *rank >= letters : *rank == letters) return *rank - letters;
    fail(text, input + " has rank " + std::to_string(*rank) + "; expected " +
                   (term.ellipsis ? "at least " : "") + std::to_string(letters));
}

std::vector<std::string> split_terms(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char letter : text) {
        if (letter == ',') {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

// The letters that occur once among all terms.
Term implicit_output(const std::vector<Term>& inputs) {
    std::string all;
    Term output;
    for (const Term& input : inputs) {
        all += input.letters;
        if (input.ellipsis) output.ellipsis = 0;
    }
    std::sort(all.begin(), all.end());
    for (const char letter : all) {
        if (std::count(all.begin(), all.end(), letter) == 1) output.letters += letter;
    }
    return output;
}

void check_output(const std::string& text, const Term& output, const std::vector<Term>& inputs) {
    for (const char letter : output.letters) {
        const std::string name(1, letter);
        if (std::count(output.letters.begin(), output.letters.end(), letter) > 1) {
            fail(text, "the output has '" + name + "' twice");
        }
        const bool is_known = std::any_of(inputs.begin(), inputs.end(), [&](const Term& input) {
            return input.letters.find(letter) != std::string::npos;
        });
        if (!is_known) fail(text, "the output has '" + name + "', which no input has");
    }
    const auto has_ellipsis = [](const Term& term) { return term.ellipsis.has_value(); };
    if (output.ellipsis && std::none_of(inputs.begin(), inputs.end(), has_ellipsis)) {
        fail(text, "the output has '...', which no input has");
    }
}

}  // namespace

bool has_label(const EinsumLabels& labels, EinsumLabel label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

EinsumLabels joined_labels(EinsumLabels labels, const EinsumLabels& more) {
    labels.insert(labels.end(), more.begin(), more.end());
    return labels;
}

std::optional<EinsumDiagonal> next_diagonal(const EinsumLabels& labels) {
    for (std::size_t b = 0; b < labels.size(); ++b) {
        const auto first = std::find(labels.begin(), labels.end(), labels[b]);
        const auto a = static_cast<std::size_t>(first - labels.begin());
        if (a == b) continue;
        EinsumDiagonal diagonal;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (i == a || i == b) continue;
            diagonal.order.push_back(static_cast<std::int64_t>(i));
            diagonal.labels.push_back(labels[i]);
        }
        diagonal.order.push_back(static_cast<std::int64_t>(a));
        diagonal.order.push_back(static_cast<std::int64_t>(b));
        diagonal.labels.push_back(labels[a]);
        return diagonal;
    }
    return std::nullopt;
}

EinsumEquation parse_einsum(const std::string& text,
                            std::span<const std::optional<std::size_t>> ranks) {
    std::string dense;
    std::copy_if(text.begin(), text.end(), std::back_inserter(dense),
                 [](char letter) { return letter != ' '; });
    const std::size_t arrow = dense.find("->");
    std::vector<Term> terms;
    for (const std::string& part : split_terms(dense.substr(0, arrow))) {
        terms.push_back(parse_term(text, part));
    }
    if (terms.size() != ranks.size()) {
        fail(text,
             "it has " + counted(terms.size(), "term") + " for " + counted(ranks.size(), "input"));
    }
    const bool is_explicit = arrow != std::string::npos;
    const Term output =
        is_explicit ? parse_term(text, dense.substr(arrow + 2)) : implicit_output(terms);
    check_output(text, output, terms);
    EinsumEquation equation;
    std::size_t most = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const std::size_t axes = ellipsis_axes(text, terms[i], i, ranks[i]);
        most = std::max(most, axes);
        equation.inputs.push_back(labels_of(terms[i], axes));
        if (equation.inputs.back().size() <= kMaxAxes) continue;
        fail(text,
             "input " + std::to_string(i) + " has more than " + std::to_string(kMaxAxes) + " axes");
    }
    equation.output = labels_of(output, most);
    return equation;
}

}  // namespace rondo::ops
