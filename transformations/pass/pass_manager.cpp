#include "transformations/pass/pass_manager.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "core/graph/inference.hpp"
#include "core/graph/origins.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/log.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {
namespace {

using Passes = std::span<const PassEntry>;

// Every pass makes the graph smaller or its form more regular, so a handful of rounds is usual.
constexpr int kMaxRounds = 100;
constexpr int kUsualRounds = 8;

std::vector<std::string> names_of(Passes passes) {
    std::vector<std::string> names;
    for (const auto& pass : passes) names.emplace_back(pass.name);
    return names;
}

void check_name(Passes passes, const std::string& name, std::string_view option) {
    const auto names = names_of(passes);
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    throw ModelError(std::string(option) + ": there is no pass '" + name + "'; " +
                     known_names(name, names));
}

bool is_port(const Node& node) { return is_parameter(node) || is_result(node); }

// The ops of the graph and of all bodies in it: neither constants nor parameters and results.
std::size_t count_ops(const Graph& graph) {
    std::size_t count = 0;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (!is_port(*node) && !is_constant(*node)) ++count;
        }
    });
    return count;
}

void add_types(const Graph& graph, const std::string& prefix,
               std::map<std::string, std::string>& types) {
    for (const auto& node : graph.ordered_nodes()) {
        if (is_port(*node) || is_constant(*node)) continue;
        types[prefix + node->name()] = node->type_name();
        for (const auto& body : node->bodies()) {
            add_types(*body, prefix + node->name() + "/", types);
        }
    }
}

// All that decides what passes do with a graph: its text, and the elements of constants, or where
// they are if there are many.
std::string form_of(const Graph& graph) {
    constexpr std::size_t kMostBytes = 4096;
    std::string form = to_text(graph);
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (!is_constant(*node)) continue;
            const Tensor value = node->known_value(0);
            const auto place = reinterpret_cast<std::uintptr_t>(value.data());
            form += "\n" + node->name() + "=";
            if (value.byte_size() > kMostBytes) {
                form += std::to_string(place);
            } else {
                form.append(static_cast<const char*>(value.data()), value.byte_size());
            }
        }
    });
    return form;
}

// The rounds of passes that repeat: which of them still change the graph, and whether a form of it
// came back.
class Rounds {
public:
    explicit Rounds(const Graph& graph) : graph_(graph) {}

    /// Ends a round in which these passes changed the graph.
    void end(const std::vector<std::string>& changing) {
        ++count_;
        if (starts_ == count_) changing_.clear();
        for (const std::string& name : changing) {
            const bool known =
                std::find(changing_.begin(), changing_.end(), name) != changing_.end();
            if (!known) changing_.push_back(name);
        }
        if (count_ < kUsualRounds) return;
        std::string form = form_of(graph_);
        came_back_ = form == form_;
        if (count_ != kept_) return;
        kept_ *= 2;
        starts_ = count_ + 1;
        form_ = std::move(form);
    }

    /// Whether more rounds would change the graph again and again.
    bool are_enough() const { return came_back_ || count_ >= kMaxRounds; }
    int count() const { return count_; }
    /// The passes that changed the graph since the form that came back, or in the last rounds.
    const std::vector<std::string>& changing() const { return changing_; }

private:
    const Graph& graph_;
    int count_ = 0;
    int kept_ = kUsualRounds;  // the round whose form is kept next
    int starts_ = 0;           // the round from which on names are gathered
    std::string form_;
    bool came_back_ = false;
    std::vector<std::string> changing_;
};

// Whether passes that don't settle are an error: for users they cost some speed, nothing else.
bool must_settle(const TransformOptions& options) {
#ifdef NDEBUG
    return options.validate || env("RONDO_MUST_SETTLE").has_value();
#else
    static_cast<void>(options);
    return true;
#endif
}

struct Effect {
    bool changed = false;
    std::chrono::duration<double> time{};
    std::size_t ops_before = 0;
    std::size_t ops_after = 0;
};

std::string line_of(const PassEntry& pass, const Effect& effect) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f ms", effect.time.count() * 1e3);
    return std::string(pass.name) + (effect.changed ? ": changed, " : " (unchanged), ") + text +
           ", " + std::to_string(effect.ops_before) + " -> " + std::to_string(effect.ops_after) +
           " ops";
}

class Runner {
public:
    Runner(Graph& graph, const TransformOptions& options, const Deadline& deadline)
        : graph_(graph), options_(options), deadline_(deadline) {}

    void run(Passes passes) {
        claim_origins(graph_);
        show_ops("");
        while (!passes.empty() && !stopped_) {
            const std::size_t count = block_size(passes);
            run_block(passes.first(count));
            passes = passes.subspan(count);
        }
    }

    bool any_changed() const { return any_changed_; }

private:
    static std::size_t block_size(Passes passes) {
        std::size_t count = 0;
        while (count < passes.size() && passes[count].mode.until_fixed_point) ++count;
        return std::max<std::size_t>(count, 1);
    }

    void run_block(Passes block) {
        Rounds rounds(graph_);
        while (!rounds.are_enough()) {
            std::vector<std::string> changing;
            for (const auto& pass : block) {
                if (pass.mode.waits && !changing.empty()) continue;
                if (run_one(pass, rounds.count() == 0)) changing.emplace_back(pass.name);
                if (stopped_) return;
            }
            if (changing.empty() || !block.front().mode.until_fixed_point) return;
            rounds.end(changing);
        }
        report(rounds);
    }

    void report(const Rounds& rounds) const {
        const std::string text =
            "after " + std::to_string(rounds.count()) +
            " rounds these passes still undo each other's work: " + quoted_list(rounds.changing());
        if (must_settle(options_)) internal_error(text);
        if (!log_enabled(LogLevel::warning)) return;
        log(LogLevel::warning, "model '" + graph_.name() + "': " + text +
                                   "; it is used as they left it, and computes the same");
    }

    bool run_one(const PassEntry& pass, bool first_round) {
        deadline_.check([&] { return "before pass '" + std::string(pass.name) + "'"; });
        const std::size_t ops_before = options_.print ? count_ops(graph_) : 0;
        const auto start = std::chrono::steady_clock::now();
        bool changed = false;
        for_each_graph(graph_, [&](Graph& graph) {
            const bool is_body = &graph != &graph_;
            if ((is_body && !pass.mode.in_bodies) || !pass.run(graph)) return;
            changed = true;
            if (is_body) graph.validate();  // an If leaves the branch that it never takes alone
        });
        any_changed_ |= changed;
        if (changed) {
            inherit_origins(graph_);
            graph_.validate();
        }
        const auto time = std::chrono::steady_clock::now() - start;
        if (options_.validate) check_after(pass);
        if (options_.print) {
            options_.print(line_of(pass, {changed, time, ops_before, count_ops(graph_)}));
        }
        if (changed) show_ops(pass.name);
        if (options_.dump && options_.dump_after == pass.name && (first_round || changed)) {
            options_.dump(to_text(graph_));
        }
        stopped_ = options_.stop_after == pass.name;
        return changed;
    }

    void show_ops(const std::string& pass) const {
        if (!options_.watch) return;
        std::map<std::string, std::string> types;
        add_types(graph_, "", types);
        options_.watch(pass, types);
    }

    void check_after(const PassEntry& pass) {
        try {
            check_graph(graph_);
        } catch (const InternalError& error) {
            internal_error(std::string("after pass '") + pass.name + "': " + error.what());
        }
    }

    Graph& graph_;
    const TransformOptions& options_;
    const Deadline& deadline_;
    bool stopped_ = false;
    bool any_changed_ = false;
};

}  // namespace

bool run_passes(Graph& graph, Passes passes, const TransformOptions& options,
                const Deadline& deadline) {
    check_name(passes, options.stop_after, "stop_after");
    check_name(passes, options.dump_after, "dump_after");
    Runner runner(graph, options, deadline);
    runner.run(passes);
    return runner.any_changed();
}

}  // namespace rondo::passes
