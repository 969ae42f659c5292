#include "plugins/cpu/kernels/window/resize.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "core/support/errors.hpp"
#include "core/support/rounding.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kResizeGrain = 1 << 15;  // products that are worth a thread

template <typename T>
T as_integer(float value) {
    // Adding 1.5 * 2^23 rounds numbers of so few bits to whole ones, halves to the even one.
    constexpr float kWhole = 12582912.0F;
    const float bounded = std::min(std::max(value, float{std::numeric_limits<T>::min()}),
                                   float{std::numeric_limits<T>::max()});
    return static_cast<T>(bounded + kWhole - kWhole);
}
template <typename T>
T as_integer(double value) {
    return saturated<T>(value);
}

template <typename Number>
using Load = void (*)(const void* from, Number* to, std::int64_t count);
template <typename Number>
using Store = void (*)(const Number* from, void* to, std::int64_t count);

template <typename Number, typename T>
void load_integers(const void* from, Number* to, std::int64_t count) {
    const auto* elements = static_cast<const T*>(from);
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<Number>(elements[i]);
}
template <typename Number, typename T>
void store_integers(const Number* from, void* to, std::int64_t count) {
    auto* elements = static_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) elements[i] = as_integer<T>(from[i]);
}

// One axis: [outer, input, inner] becomes [outer, output, inner].
template <typename Number>
struct Pass {
    std::int64_t outer = 1, input = 1, output = 1, inner = 1, count = 1;
    std::vector<std::int64_t> places;
    std::vector<Number> weights;
    Number extrapolation = 0;
    bool has_zeros = false;  // among the weights; an infinity times one would be NaN

    std::int64_t size() const { return outer * output * inner; }
    // Lines of a pass along the innermost axis, else single rows of it.
    std::int64_t rows() const { return inner == 1 ? outer : outer * output; }
    std::int64_t row_cost() const { return (inner == 1 ? output : inner) * count; }
};

// Without what has no weight.
template <typename Number>
Number sum_of_weighted(const Number* from, const std::int64_t* places, const Number* weights,
                       std::int64_t count) {
    Number sum = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        if (weights[k] != 0) sum += weights[k] * from[places[k]];
    }
    return sum;
}

template <typename Number>
void run_line(const Pass<Number>& pass, const Number* from, Number* to) {
    const std::int64_t* places = pass.places.data();
    const Number* weights = pass.weights.data();
    for (std::int64_t i = 0; i < pass.output; ++i, places += pass.count, weights += pass.count) {
        if (places[0] == ops::kExtrapolatedPlace) {
            to[i] = pass.extrapolation;
            continue;
        }
        if (pass.has_zeros) {
            to[i] = sum_of_weighted(from, places, weights, pass.count);
            continue;
        }
        Number sum = weights[0] * from[places[0]];
        for (std::int64_t k = 1; k < pass.count; ++k) sum += weights[k] * from[places[k]];
        to[i] = sum;
    }
}

// A row of one tap, or the sums of two, written or added.
template <typename Number>
struct TapPair {
    const Number *a, *b;
    Number wa, wb;

    template <typename Put>
    void put(std::int64_t count, Put put_number) const {
        if (wb == 0) {
            for (std::int64_t i = 0; i < count; ++i) put_number(i, wa * a[i]);
        } else if (wa == 0) {
            for (std::int64_t i = 0; i < count; ++i) put_number(i, wb * b[i]);
        } else {
            for (std::int64_t i = 0; i < count; ++i) put_number(i, wa * a[i] + wb * b[i]);
        }
    }
};

// Two taps at a time: the first pair that has a weight is written, later ones are added.
template <typename Number>
void run_row(const Pass<Number>& pass, const Number* from, Number* to, std::int64_t at) {
    const std::int64_t* places = pass.places.data() + at * pass.count;
    const Number* weights = pass.weights.data() + at * pass.count;
    if (places[0] == ops::kExtrapolatedPlace) {
        std::fill(to, to + pass.inner, pass.extrapolation);
        return;
    }
    const auto row = [&](std::int64_t k) { return from + places[k] * pass.inner; };
    bool is_first = true;
    for (std::int64_t k = 0; k < pass.count; k += 2) {
        const TapPair<Number> pair{row(k), row(k + 1), weights[k], weights[k + 1]};
        if (pair.wa == 0 && pair.wb == 0) continue;
        if (is_first) {
            pair.put(pass.inner, [&](std::int64_t i, Number sum) { to[i] = sum; });
        } else {
            pair.put(pass.inner, [&](std::int64_t i, Number sum) { to[i] += sum; });
        }
        is_first = false;
    }
    if (is_first) std::fill_n(to, pass.inner, Number{0});
}

template <typename Number>
void run_rows(const Pass<Number>& pass, const Number* from, Number* to, std::int64_t begin,
              std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
        if (pass.inner == 1) {
            run_line(pass, from + row * pass.input, to + row * pass.output);
        } else {
            const std::int64_t outer = row / pass.output;
            run_row(pass, from + outer * pass.input * pass.inner, to + row * pass.inner,
                    row % pass.output);
        }
    }
}

// Axes that shrink come first, outermost first, since that leaves less to do and their rows are
// long; those that grow come last, innermost first, since their rows are few.
std::vector<std::size_t> order_of(const std::vector<ResizeAxis>& axes) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!axes[i].taps.places.empty()) order.push_back(i);
    }
    const auto ratio = [&](std::size_t i) {
        return static_cast<double>(axes[i].output) / static_cast<double>(axes[i].input);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (ratio(a) != ratio(b)) return ratio(a) < ratio(b);
        return ratio(a) < 1 ? a < b : a > b;
    });
    return order;
}

template <typename Number>
class PassResize final : public Resize {
public:
    PassResize(const ResizeConfig& config, Load<Number> load, Store<Number> store)
        : load_(load), store_(store), bytes_(static_cast<std::int64_t>(size_of(config.type))) {
        std::vector<std::int64_t> extents;
        for (const ResizeAxis& axis : config.axes) extents.push_back(axis.input);
        // Leading axes that stay are items of their own.
        std::size_t lead = 0;
        while (config.axes[lead].taps.places.empty()) items_ *= extents[lead++];
        extents.erase(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(lead));
        for (const std::int64_t extent : extents) input_ *= extent;
        for (const std::size_t axis : order_of(config.axes)) {
            add_pass(config.axes[axis], axis - lead, extents, config.extrapolation);
        }
        for (const Pass<Number>& pass : passes_) {
            most_ = std::max(most_, pass.size());
            cost_ = std::max(cost_, pass.rows() * pass.row_cost());
        }
        slices_ = {slice_bytes(), items_ >= config.threads ? config.threads : 1};
    }

    std::size_t scratch_bytes() const override { return slices_.bytes(); }

    void run(const ResizeArgs& args, Team& team) const override {
        if (slices_.count() == 1) {
            for (std::int64_t item = 0; item < items_; ++item) {
                run_item(args, item, slices_.slice(args.scratch, 0),
                         [&](std::int64_t count, std::int64_t cost, auto body) {
                             share(team, count, kResizeGrain / std::max<std::int64_t>(cost, 1) + 1,
                                   body);
                         });
            }
            return;
        }
        slices_.share(team, items_, kResizeGrain / std::max<std::int64_t>(cost_, 1) + 1,
                      args.scratch, [&](std::int64_t begin, std::int64_t end, std::byte* own) {
                          for (std::int64_t item = begin; item < end; ++item) {
                              run_item(args, item, own,
                                       [](std::int64_t count, std::int64_t, auto body) {
                                           body(std::int64_t{0}, count);
                                       });
                          }
                      });
    }

private:
    void add_pass(const ResizeAxis& axis, std::size_t at, std::vector<std::int64_t>& extents,
                  double extrapolation) {
        Pass<Number> pass;
        for (std::size_t i = 0; i < at; ++i) pass.outer *= extents[i];
        for (std::size_t i = at + 1; i < extents.size(); ++i) pass.inner *= extents[i];
        pass.input = axis.input;
        pass.output = extents[at] = axis.output;
        pass.count = axis.taps.count;
        pass.places = axis.taps.places;
        pass.weights.assign(axis.taps.weights.begin(), axis.taps.weights.end());
        pass.has_zeros =
            std::find(pass.weights.begin(), pass.weights.end(), Number{0}) != pass.weights.end();
        pass.extrapolation = static_cast<Number>(extrapolation);
        passes_.push_back(std::move(pass));
    }

    bool converts() const { return load_ != nullptr; }
    std::size_t slice_bytes() const {
        const std::size_t input =
            converts() ? whole_lines(static_cast<std::size_t>(input_) * sizeof(Number)) : 0;
        return input + 2 * whole_lines(static_cast<std::size_t>(most_) * sizeof(Number));
    }

    // `spread(count, cost, body)` runs body on pieces of [0, count).
    template <typename Spread>
    void run_item(const ResizeArgs& args, std::int64_t item, std::byte* own, Spread spread) const {
        const std::size_t half = whole_lines(static_cast<std::size_t>(most_) * sizeof(Number));
        std::array<Number*, 2> buffers{reinterpret_cast<Number*>(own),
                                       reinterpret_cast<Number*>(own + half)};
        const char* data = static_cast<const char*>(args.data) + item * input_ * bytes_;
        char* out = static_cast<char*>(args.out) + item * passes_.back().size() * bytes_;
        const auto* from = reinterpret_cast<const Number*>(data);
        if (converts()) {
            auto* wide = reinterpret_cast<Number*>(own + 2 * half);
            spread(input_, 1, [&](std::int64_t begin, std::int64_t end) {
                load_(data + begin * bytes_, wide + begin, end - begin);
            });
            from = wide;
        }
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            const Pass<Number>& pass = passes_[i];
            const bool is_last = i + 1 == passes_.size();
            Number* to = is_last && !converts() ? reinterpret_cast<Number*>(out) : buffers[i % 2];
            spread(pass.rows(), pass.row_cost(), [&](std::int64_t begin, std::int64_t end) {
                run_rows(pass, from, to, begin, end);
            });
            from = to;
        }
        if (!converts()) return;
        spread(passes_.back().size(), 1, [&](std::int64_t begin, std::int64_t end) {
            store_(from + begin, out + begin * bytes_, end - begin);
        });
    }

    Load<Number> load_;
    Store<Number> store_;
    std::int64_t bytes_;
    std::vector<Pass<Number>> passes_;
    std::int64_t items_ = 1;
    std::int64_t input_ = 1;  // numbers of an item
    std::int64_t most_ = 0;   // numbers that the largest pass of an item writes
    std::int64_t cost_ = 0;
    SliceScratch slices_{0, 1};  // several where threads share items
};

}  // namespace

std::unique_ptr<Resize> make_resize(const ResizeConfig& config) {
    return visit_type(config.type, [&](auto tag) -> std::unique_ptr<Resize> {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_floating_point_v<T>) {
            return std::make_unique<PassResize<T>>(config, nullptr, nullptr);
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            using Number = std::conditional_t<sizeof(T) <= 2, float, double>;
            return std::make_unique<PassResize<Number>>(config, load_integers<Number, T>,
                                                        store_integers<Number, T>);
        }
        internal_error("a resize of a type that it doesn't take");
    });
}

}  // namespace rondo::cpu
