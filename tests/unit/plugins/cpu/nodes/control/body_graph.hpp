// Random graphs of choices and loops, in each other, that read values of the graphs around them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {

/// The inputs: x f32 [?,4]; trips i64 [], left i64 [] and go boolean []. Every value of a pool is
/// f32 [rows,4].
class BodyGraphMaker {
public:
    explicit BodyGraphMaker(Rng& rng) : rng_(rng) {}

    std::shared_ptr<Graph> make(int nodes) {
        Scope scope;
        scope.pool.push_back(scope.builder.input("x", "?,4"));
        scope.trips = scope.builder.input("trips", "", ElementType::i64);
        scope.left = scope.builder.input("left", "", ElementType::i64);
        scope.go = scope.builder.input("go", "", ElementType::boolean);
        grow(scope, nodes, 0);
        for (std::size_t i = 0; i < joined_.size(); ++i) {
            scope.builder.output("joined" + std::to_string(i), joined_[i]);
        }
        scope.builder.output("y", scope.pool.back());
        scope.builder.output("z", any(scope));
        return scope.builder.graph();
    }

    static std::vector<Tensor> inputs(Rng& rng) {
        const auto rows = static_cast<std::size_t>(uniform_int(rng, 1, 3));
        return {random_tensor(ElementType::f32, {rows, 4}, rng),
                scalar_of<std::int64_t>(uniform_int(rng, 0, 3)),
                scalar_of<std::int64_t>(uniform_int(rng, 1, 4)),
                scalar_of<bool>(uniform_int(rng, 0, 1) == 1)};
    }

private:
    // One graph while it is made; a body's inputs are those of its op, by parameter.
    struct Scope {
        GraphBuilder builder;
        std::vector<Output> pool;
        Output trips, left, go;
        std::vector<Output> outer;
    };

    bool coin() { return uniform_int(rng_, 0, 1) == 1; }

    const Output& any(const Scope& scope) {
        return scope.pool[static_cast<std::size_t>(
            uniform_int(rng_, 0, static_cast<std::int64_t>(scope.pool.size()) - 1))];
    }

    void grow(Scope& scope, int nodes, int depth) {
        for (int i = 0; i < nodes; ++i) scope.pool.push_back(next(scope, depth));
    }

    Output next(Scope& scope, int depth) {
        const std::int64_t kinds = depth < 3 ? 6 : 2;
        switch (uniform_int(rng_, 0, kinds)) {
            case 0: return bounded(scope, any(scope));
            case 1: return bounded(scope, add(scope.builder, any(scope), any(scope)));
            case 2:
                return bounded(
                    scope,
                    add(scope.builder, any(scope),
                        scope.builder.constant(random_tensor(ElementType::f32, {1, 4}, rng_))));
            case 3: return choose(scope, depth);
            case 4: return loop(scope, depth);
            default: return walk(scope, depth);
        }
    }

    static Output bounded(Scope& scope, const Output& x) {
        return scope.builder.make<ops::Unary>("", ops::UnaryFunction::tanh, x);
    }

    // A parameter for a value of the graph around.
    Output parameter(Scope& body, const Output& outer, const std::string& name) {
        const Output inner = body.builder.input(name + std::to_string(body.outer.size()), "...",
                                                outer.element_type());
        body.outer.push_back(outer);
        return inner;
    }

    void take_common(Scope& body, const Scope& scope) {
        body.trips = parameter(body, scope.trips, "trips");
        body.left = parameter(body, scope.left, "left");
        body.go = parameter(body, scope.go, "go");
    }

    void take_some(Scope& body, const Scope& scope) {
        for (std::int64_t i = uniform_int(rng_, 1, 2); i > 0; --i) {
            body.pool.push_back(parameter(body, any(scope), "seen"));
        }
    }

    Output choose(Scope& scope, int depth) {
        std::vector<Output> inputs{scope.go};
        std::vector<GraphPtr> bodies;
        std::vector<ops::BodyPorts> ports;
        for (const char* name : {"yes", "no"}) {
            Scope body;
            take_common(body, scope);
            take_some(body, scope);
            grow(body, static_cast<int>(uniform_int(rng_, 0, 3)), depth + 1);
            // Joined outputs of inner loops stay inside: their rows may differ between branches.
            body.builder.output(name, body.pool.back());
            ops::BodyPorts own{{}, {{0, 0, {}}}};
            for (std::size_t i = 0; i < body.outer.size(); ++i) {
                own.inputs.push_back({inputs.size(), i, {}, {}});
                inputs.push_back(body.outer[i]);
            }
            bodies.push_back(body.builder.graph());
            ports.push_back(std::move(own));
        }
        return scope.builder.make<ops::If>("", inputs, bodies, ports);
    }

    // Carries two values, which change places; ends by count or by a countdown.
    Output loop(Scope& scope, int depth) {
        const bool counts_down = coin();
        Scope body;
        body.builder.input("i", "", ElementType::i64);
        const Output start[] = {any(scope), any(scope)};
        const Output a = body.builder.input("a", "..."), b = body.builder.input("b", "...");
        const Output left = body.builder.input("left", "", ElementType::i64);
        body.outer = {Output(), start[0], start[1], scope.left};
        take_common(body, scope);
        body.pool = {a, b};
        if (coin()) take_some(body, scope);
        grow(body, static_cast<int>(uniform_int(rng_, 0, 3)), depth + 1);
        const Output less = add(body.builder, left, i64(body.builder, -1));
        const Output more =
            counts_down ? Output(body.builder.make<ops::Convert>("", less, ElementType::boolean))
                        : flag(body.builder, true);
        const Output grown =
            bounded(body, add(body.builder, add(body.builder, a, b), body.pool.back()));
        body.builder.output("more", more);
        body.builder.output("next_a", b);
        body.builder.output("next_b", grown);
        body.builder.output("less", less);
        body.builder.output("row", body.builder.unsqueeze(grown, {0}));
        const bool joins = !counts_down && depth == 0;
        return finish_loop(scope, body, joins);
    }

    Output finish_loop(Scope& scope, Scope& body, bool joins) {
        std::vector<Output> inputs{
            coin() ? scope.trips : i64(scope.builder, uniform_int(rng_, 0, 3)),
            flag(scope.builder, true)};
        ops::BodyPorts ports{{}, {{0, 1, {}}, {1, 2, {}}}};
        for (std::size_t i = 1; i < body.outer.size(); ++i) {
            ports.inputs.push_back({inputs.size(), i, {}, {}});
            if (i <= 3) ports.inputs.back().back_edge = i;
            inputs.push_back(body.outer[i]);
        }
        const bool reversed = coin();
        if (joins) {
            ports.outputs.push_back(
                {2, 4, reversed ? ops::PartRange{0, -1, -1, 1, 0} : ops::PartRange{0}});
        }
        const auto node = scope.builder.make<ops::Loop>("", inputs, body.builder.graph(), ports,
                                                        ops::LoopPorts{0, 0});
        if (joins) joined_.push_back(node->output(2));
        return coin() ? node->output(0) : node->output(1);
    }

    // Over the columns, one or two at a time, forward or backward.
    Output walk(Scope& scope, int depth) {
        const std::int64_t size = uniform_int(rng_, 1, 2);
        const ops::PartRange range =
            coin() ? ops::PartRange{1, 0, size, size, -1} : ops::PartRange{1, -1, -size, size, 0};
        Scope body;
        const Output part = body.builder.input("part", "...");
        const Output state = body.builder.input("state", "...");
        body.outer = {any(scope), any(scope)};
        take_common(body, scope);
        body.pool.push_back(state);
        if (coin()) take_some(body, scope);
        grow(body, static_cast<int>(uniform_int(rng_, 0, 2)), depth + 1);
        std::vector<Output> parts(static_cast<std::size_t>(4 / size), part);
        const Output whole = body.builder.make<ops::Concat>("", parts, 1);
        const Output next = bounded(body, add(body.builder, whole, body.pool.back()));
        body.builder.output("next", next);
        body.builder.output("part_out", bounded(body, part));
        ops::BodyPorts ports{{{0, 0, range, {}}, {1, 1, {}, 0}}, {{0, 0, {}}, {1, 1, range}}};
        for (std::size_t i = 2; i < body.outer.size(); ++i) ports.inputs.push_back({i, i, {}, {}});
        const auto node =
            scope.builder.make<ops::TensorIterator>("", body.outer, body.builder.graph(), ports);
        return coin() ? node->output(0) : node->output(1);
    }

    Rng& rng_;
    std::vector<Output> joined_;
};

}  // namespace rondo::test
