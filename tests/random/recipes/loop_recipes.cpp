// Random Loops: trip counts that are constant, known from shapes, or data; conditions that end them
// early; loop-carried values that keep their shape or grow; outputs that are joined.
#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {
namespace {

// How often a loop runs.
struct Count {
    Value value;    ///< an i64, [] or [1]
    Extent extent;  ///< the same number, unless it may be zero
    bool may_be_zero = false;
};

std::optional<Count> extent_count(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.shape[0].n + value.shape[0].t + value.shape[0].k <= 1 &&
               value.shape[0].factor <= 6;
    });
    if (!x) return {};
    return Count{extent_scalar(maker, *x, 0), x->shape[0], !maker.is_filled(x->shape[0])};
}

std::optional<Count> data_count(ModelMaker& maker, bool less_one) {
    const auto k = maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    if (!k) return {};
    if (!less_one) return Count{*k, kK};
    const Value less = maker.add("Sub", {*k, maker.int_scalar(1)}, {known(1)}, ElementType::i64);
    return Count{less, known(0), true};
}

Count random_count(ModelMaker& maker) {
    const auto kind = maker.number(0, 9);
    std::optional<Count> count;
    if (kind <= 2) count = extent_count(maker);
    if (kind >= 3 && kind <= 5) count = data_count(maker, false);
    if (kind == 6) count = data_count(maker, true);
    if (count) return *count;
    const std::int64_t number = kind == 7 ? 0 : maker.number(1, 4);
    return {maker.int_scalar(number), known(number), number == 0};
}

// A Loop under construction. Its trip count or its condition ends it.
class RandomLoop {
public:
    RandomLoop(ModelMaker& maker, Count count)
        : maker_(maker), count_(std::move(count)), by_condition_(maker.chance(0.4)) {
        add_counters();
    }

    RandomBody& body() { return *body_; }
    ModelMaker& own() { return body().maker(); }

    /// A loop-carried value; what the body gets.
    Value carry(const Value& initial, bool hidden = false) {
        inputs_.push_back(initial);
        Value inside = initial;
        inside.exact = inside.holds_k = false;
        inside.hidden = hidden;
        return own().add_parameter(inside);
    }

    /// A loop-carried sequence, and what it becomes.
    Value carry_list(const Value& initial) {
        inputs_.push_back(initial);
        return own().add_list_parameter();
    }
    Value finish_list() {
        maker_.set_last_name(own().last_name());
        return maker_.add_list("Loop", inputs_,
                               [&](NodeBuilder& node) { node.with("body", body().graph()); });
    }

    void finish_condition() {
        if (by_condition_) {
            const Value next =
                own().add("Add", {number_, own().int_scalar(1)}, {}, ElementType::i64);
            body().add_result(own().add("Less", {next, scalar_}, {}, ElementType::boolean));
        } else if (maker_.chance(0.3)) {
            body().add_result(own().flag(true));
        } else if (maker_.chance(0.3)) {
            body().add_result(
                own().add("Less", {number_, own().int_scalar(1000)}, {}, ElementType::boolean));
        } else {
            body().add_result(condition_);
        }
    }

    std::vector<Value> finish(const std::vector<Extents>& shapes) {
        maker_.set_last_name(own().last_name());
        return maker_.add_all("Loop", inputs_, shapes, ElementType::f32,
                              [&](NodeBuilder& node) { node.with("body", body().graph()); });
    }

    const Count& count() const { return count_; }
    const Value& number() const { return number_; }

private:
    void add_counters() {
        scalar_ = count_.value;
        Value trips = count_.value;
        Value start = maker_.chance(0.5) ? Value{} : maker_.flag(true);
        if (by_condition_) {
            if (scalar_.rank() > 0) {
                scalar_ = maker_.add("Squeeze", {scalar_, maker_.ints({0})}, {}, ElementType::i64);
            }
            start =
                maker_.add("Greater", {scalar_, maker_.int_scalar(0)}, {}, ElementType::boolean);
            trips = maker_.chance(0.5) ? Value{} : maker_.int_scalar(20);
        }
        inputs_ = {trips, start};
        body_.emplace(maker_);
        number_ = own().add_parameter({"", ElementType::i64, {}, true});
        condition_ = own().add_parameter({"", ElementType::boolean, {}});
    }

    ModelMaker& maker_;
    Count count_;
    bool by_condition_;
    Value scalar_;
    std::vector<Value> inputs_;
    std::optional<RandomBody> body_;  // once what it sees is there
    Value number_;
    Value condition_;
};

// The number of the iteration as a float.
void add_number(RandomLoop& loop) {
    ModelMaker& own = loop.own();
    const Value floats = own.add("Cast", {loop.number()}, {}, ElementType::f32,
                                 [](NodeBuilder& node) { node.with("to", 1); });
    own.add("Mul", {floats, own.filled({}, 0.1F)}, {});
}

// Mostly half of the old value and a quarter of a new one, so that errors don't grow.
Value next_of(ModelMaker& own, const Value& inside) {
    if (own.chance(0.15)) return inside;
    const Value fresh = own.bounded(value_like(own, inside));
    const Value old = own.add("Mul", {inside, own.filled({}, 0.5F)}, inside.shape);
    const Value part = own.add("Mul", {fresh, own.filled({}, 0.25F)}, inside.shape);
    return own.add("Add", {old, part}, inside.shape);
}

bool loop(ModelMaker& maker) {
    RandomLoop loop(maker, random_count(maker));
    std::vector<Value> inside;
    for (std::int64_t i = maker.number(0, 3); i > 0; --i) {
        if (const auto x = maker.pick_of_rank(0, 3)) inside.push_back(loop.carry(*x));
    }
    if (maker.chance(0.5)) add_number(loop);
    add_nodes(loop.own(), maker.number(0, 3), true);
    loop.finish_condition();
    std::vector<Extents> shapes;
    const bool swapped = inside.size() >= 2 && inside[0].shape == inside[1].shape;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const bool other = swapped && i < 2;
        loop.body().add_result(other ? inside[1 - i] : next_of(loop.own(), inside[i]));
        shapes.push_back(inside[i].shape);
    }
    const std::size_t carried = shapes.size();
    for (std::int64_t i = maker.number(carried == 0 ? 1 : 0, 2); i > 0; --i) {
        const auto x = loop.own().pick_of_rank(0, 3);
        if (!x) continue;
        loop.body().add_result(value_like(loop.own(), *x));
        shapes.push_back(x->shape);
        shapes.back().insert(shapes.back().begin(), loop.count().extent);
    }
    if (shapes.empty()) return false;
    auto made = loop.finish(shapes);
    for (std::size_t i = carried; i < made.size() && loop.count().may_be_zero; ++i) {
        made[i].hidden = true;
        maker.describe(made[i]);
    }
    return true;
}

// x, and x once more in each iteration, along the last axis.
bool growing_loop(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.rank() <= 3 && value.last().is_known() &&
               value.last().factor <= 4;
    });
    const auto k = maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    if (!x || (!k && maker.chance(0.5))) return false;
    const bool from_nothing = maker.chance(0.5);
    const std::int64_t last = static_cast<std::int64_t>(x->rank()) - 1;
    Count count{maker.int_scalar(2), known(2)};
    if (k) count = *data_count(maker, !from_nothing);
    Extents shape = x->shape;
    shape.back() = shape.back() * (k ? kK : known(from_nothing ? 2 : 3));
    Value initial = *x;
    if (from_nothing) {
        Extents empty = x->shape;
        empty.back() = known(0);
        initial =
            maker.add("Slice", {*x, maker.ints({0}), maker.ints({0}), maker.ints({last})}, empty);
        initial.hidden = true;
        maker.describe(initial);
    }
    RandomLoop loop(maker, count);
    const Value inside = loop.carry(initial, true);
    add_nodes(loop.own(), maker.number(0, 2), false);
    loop.finish_condition();
    const Value part = value_like(loop.own(), *x);
    Value grown = loop.own().add("Concat", {inside, part}, inside.shape, ElementType::f32,
                                 [&](NodeBuilder& node) { node.with("axis", last); });
    grown.hidden = true;
    loop.own().describe(grown);
    loop.body().add_result(grown);
    loop.finish({shape});
    return true;
}

// A list that gets a tensor in each iteration, joined after the loop, or one tensor of it.
bool listing_loop(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.rank() <= 3 && value.last().is_known() &&
               value.last().factor <= 4;
    });
    if (!x) return false;
    const Count count = random_count(maker);
    if (count.may_be_zero || count.extent.factor == 0) return false;
    const bool from_nothing = maker.chance(0.6);
    if (!from_nothing && !count.extent.is_known()) return false;
    const Value start = from_nothing ? maker.add_list("SequenceEmpty", {})
                                     : maker.add_list("SequenceConstruct", {*x, *x});
    RandomLoop loop(maker, count);
    const Value list = loop.carry_list(start);
    add_nodes(loop.own(), maker.number(0, 3), false);
    loop.finish_condition();
    const Value part = value_like(loop.own(), *x);
    loop.own().add_list_result(loop.own().add_list("SequenceInsert", {list, part}));
    const Value all = loop.finish_list();
    const Extent length = from_nothing ? count.extent : known(count.extent.factor + 2);
    Extents shape = x->shape;
    if (maker.chance(0.3)) {
        maker.add("SequenceAt", {all, maker.int_scalar(-1)}, shape);
        return true;
    }
    const bool is_new = maker.chance(0.4);
    const auto last = static_cast<std::int64_t>(x->rank()) - (is_new ? 0 : 1);
    const std::int64_t axis = maker.number(0, last);
    const auto place = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    if (is_new) {
        shape.insert(place, length);
    } else {
        *place = *place * length;
    }
    maker.add("ConcatFromSequence", {all}, shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("axis", axis).with("new_axis", is_new ? 1 : 0); });
    return true;
}

// Counts to k.
bool counting_loop(ModelMaker& maker) {
    const auto count = data_count(maker, false);
    if (!count) return false;
    RandomLoop loop(maker, *count);
    const Value inside = loop.carry(maker.ints({0}));
    loop.finish_condition();
    loop.body().add_result(
        loop.own().add("Add", {inside, loop.own().int_scalar(1)}, {known(1)}, ElementType::i64));
    Value number = loop.finish({{known(1)}}).front();
    number.type = ElementType::i64;
    number.exact = number.holds_k = true;
    maker.describe(number);
    return true;
}

}  // namespace

std::vector<Recipe> loop_recipes() {
    return {loop, loop, loop, growing_loop, listing_loop, counting_loop};
}

}  // namespace rondo::test
