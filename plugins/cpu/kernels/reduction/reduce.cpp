#include "plugins/cpu/kernels/reduction/reduce.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/ops/common/families.hpp"
#include "core/ops/reduction/formulas.hpp"
#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

using ops::ReduceFunction;

// Results that lie side by side are computed together.
constexpr std::int64_t kReduceBlock = 64;

// Elements of one result that lie side by side are combined in so many numbers, which don't wait
// for each other.
constexpr int kLanes = 16;
// Shorter runs are summed up in one number: the processor goes on with the next results meanwhile.
constexpr std::int64_t kLongRun = 4 * kLanes;

// So many results whose elements lie apart are computed together, each in its own order.
constexpr std::int64_t kRows = 8;

// Fewer elements of a result aren't worth reading it in vectors.
constexpr std::int64_t kVectorRun = 8;

// Whether vectors add up such elements.
template <ReduceFunction function, typename T>
constexpr bool kInVectors = std::is_same_v<T, float> &&
                            (function == ReduceFunction::sum || function == ReduceFunction::mean);

// Whether results of parts of the elements add up to that of all of them.
constexpr bool adds_up(ReduceFunction function) {
    using enum ReduceFunction;
    return function == sum || function == mean || function == l1 || function == l2;
}

// Elements of T, combined in numbers that hold 64 bits.
template <ReduceFunction function, typename T>
struct Reduction {
    using Loaded = decltype(loaded(T()));
    using Integer = std::conditional_t<std::is_signed_v<Loaded>, std::int64_t, std::uint64_t>;
    static constexpr bool kIsInteger = std::is_integral_v<T>;
    using Number = std::conditional_t<kIsInteger, Integer, Loaded>;

    static Number start() {
        using Limits = std::numeric_limits<Loaded>;
        if constexpr (std::is_floating_point_v<Number>) {
            return ops::start_of<function>(-Limits::infinity(), Limits::infinity());
        } else {
            return ops::start_of<function>(Number{Limits::min()}, Number{Limits::max()});
        }
    }
    static Number step(Number so_far, T x) {
        return ops::step_of<function>(so_far, static_cast<Number>(loaded(x)));
    }
    static bool end(Number& so_far, std::int64_t count) {
        return ops::finish<function>(so_far, count);
    }
    static T element(Number result) {
        if constexpr (kIsInteger) {
            return static_cast<T>(result);
        } else {
            return stored<T>(result);
        }
    }
};

// Lane j has the elements j, j + 16, ...; the lanes are added as a tree. Elements that are left go
// to the first lanes.
template <typename Function, typename T>
typename Function::Number sum_of_lanes(const T* x, std::int64_t count) {
    typename Function::Number lanes[kLanes];
    std::fill_n(lanes, kLanes, Function::start());
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (int j = 0; j < kLanes; ++j) lanes[j] = Function::step(lanes[j], x[i + j]);
    }
    for (int j = 0; i + j < count; ++j) lanes[j] = Function::step(lanes[j], x[i + j]);
    for (int width = kLanes / 2; width > 0; width /= 2) {
        for (int j = 0; j < width; ++j) lanes[j] += lanes[j + width];
    }
    return lanes[0];
}

// Writes the results; false where they have no value.
template <typename Function, typename T>
bool finish_all(typename Function::Number* so_far, std::int64_t count, std::int64_t elements,
                T* to) {
    bool has_value = true;
    for (std::int64_t j = 0; j < count; ++j) {
        has_value = Function::end(so_far[j], elements) && has_value;
        to[j] = Function::element(so_far[j]);
    }
    return has_value;
}

}  // namespace

// Whether sums are made in lanes, which take one result at a time.
template <ReduceFunction function, typename T>
bool Reduce::has_long_sums(const Layout& layout) {
    return adds_up(function) && !Reduction<function, T>::kIsInteger && layout.line >= kLongRun;
}

// One result: its elements may be far from those of the next.
template <ReduceFunction function, typename T>
bool Reduce::run_one(const Layout& layout, const T* from, T* to) {
    using Function = Reduction<function, T>;
    auto so_far = Function::start();
    const bool in_lanes = has_long_sums<function, T>(layout);
    const NdLoop<1>& loop = in_lanes ? layout.lines : layout.reduced;
    const auto& run = loop.run();
    loop.for_each_run([&](const NdLoop<1>::Offsets& at) {
        const T* x = from + at[0];
        for (std::int64_t i = 0; i < run.count; ++i, x += run.steps[0]) {
            if constexpr (adds_up(function) && !Function::kIsInteger) {
                if (in_lanes) {
                    so_far += sum_of_lanes<Function>(x, layout.line);
                    continue;
                }
            }
            so_far = Function::step(so_far, *x);
        }
    });
    const bool has_value = Function::end(so_far, layout.reduced.size());
    *to = Function::element(so_far);
    return has_value;
}

// `count` results whose first elements lie side by side.
template <ReduceFunction function, typename T>
bool Reduce::run_block(const Layout& layout, const T* from, T* to, std::int64_t count) {
    using Function = Reduction<function, T>;
    typename Function::Number so_far[kReduceBlock];
    std::fill_n(so_far, count, Function::start());
    const auto& run = layout.reduced.run();
    layout.reduced.for_each_run([&](const NdLoop<1>::Offsets& at) {
        const T* x = from + at[0];
        for (std::int64_t i = 0; i < run.count; ++i, x += run.steps[0]) {
            for (std::int64_t j = 0; j < count; ++j) {
                so_far[j] = Function::step(so_far[j], x[j]);
            }
        }
    });
    return finish_all<Function>(so_far, count, layout.reduced.size(), to);
}

// kRows results whose first elements are `stride` apart: none waits for the one before it.
template <ReduceFunction function, typename T>
bool Reduce::run_rows(const Layout& layout, const T* from, std::int64_t stride, T* to) {
    using Function = Reduction<function, T>;
    typename Function::Number so_far[kRows];
    std::fill_n(so_far, kRows, Function::start());
    const auto& run = layout.reduced.run();
    layout.reduced.for_each_run([&](const NdLoop<1>::Offsets& at) {
        const T* x = from + at[0];
        for (std::int64_t i = 0; i < run.count; ++i, x += run.steps[0]) {
#pragma GCC unroll 8
            for (std::int64_t j = 0; j < kRows; ++j) {
                so_far[j] = Function::step(so_far[j], x[j * stride]);
            }
        }
    });
    return finish_all<Function>(so_far, kRows, layout.reduced.size(), to);
}

// As run_rows, with avx::kSumRows results.
template <ReduceFunction function, typename T>
bool Reduce::run_vectors(const Layout& layout, const T* from, std::int64_t stride, T* to) {
    using Function = Reduction<function, T>;
    double so_far[avx::kSumRows] = {};
    const std::int64_t count = layout.reduced.run().count;
    layout.reduced.for_each_run(
        [&](const NdLoop<1>::Offsets& at) { avx::add_rows(from + at[0], stride, count, so_far); });
    return finish_all<Function>(so_far, avx::kSumRows, layout.reduced.size(), to);
}

template <ReduceFunction function, typename T>
bool Reduce::run_some(const Layout& layout, const T* from, T* to, std::int64_t count) {
    const std::int64_t stride = layout.kept.run().steps[0];
    if (count == 1) return run_one<function>(layout, from, to);
    if (stride == 1) return run_block<function>(layout, from, to, count);
    if constexpr (kInVectors<function, T>) {
        if (count == avx::kSumRows) return run_vectors<function>(layout, from, stride, to);
    }
    if constexpr (!Reduction<function, T>::kIsInteger) {
        return run_rows<function>(layout, from, stride, to);
    }
    internal_error("results that lie apart are computed one by one");
}

// How many of `rest` results are computed together.
template <ReduceFunction function, typename T>
std::int64_t Reduce::block_of(const Layout& layout, std::int64_t rest) {
    if (layout.kept.run().steps[0] == 1) return std::min(kReduceBlock, rest);
    const bool alone = Reduction<function, T>::kIsInteger || has_long_sums<function, T>(layout);
    if (alone || rest < kRows) return 1;
    const bool vectors = kInVectors<function, T> && layout.has_vectors && rest >= avx::kSumRows;
    return vectors ? avx::kSumRows : kRows;
}

template <ReduceFunction function, typename T>
bool Reduce::run_as(const Layout& layout, const Range& range) {
    const auto& run = layout.kept.run();
    bool has_value = true;
    std::int64_t first = range.begin / run.count * run.count;
    const std::int64_t last_run = (range.end + run.count - 1) / run.count;
    layout.kept.for_each_run(first / run.count, last_run, [&](const NdLoop<2>::Offsets& at) {
        const std::int64_t end = std::min(run.count, range.end - first);
        for (std::int64_t i = std::max(range.begin - first, std::int64_t{0}); i < end;) {
            const std::int64_t count = block_of<function, T>(layout, end - i);
            const T* from = static_cast<const T*>(range.from) + at[0] + i * run.steps[0];
            T* to = static_cast<T*>(range.to) + at[1] + i;
            has_value = run_some<function>(layout, from, to, count) && has_value;
            i += count;
        }
        first += run.count;
    });
    return has_value;
}

Reduce::Run Reduce::choose(ReduceFunction function, ElementType type) {
    return ops::visit_function<std::size(ops::kReduceOps)>(function, [&](auto known) -> Run {
        constexpr ReduceFunction kFunction = known();
        constexpr ops::TypeRule kTypes = ops::kReduceOps[static_cast<int>(kFunction)].types;
        if constexpr (kTypes == ops::TypeRule::boolean) {
            return run_as<kFunction, Flag>;
        } else {
            return visit_type(type, [](auto tag) -> Run {
                using T = tag_type<decltype(tag)>;
                if constexpr (!std::is_same_v<T, bool>) return run_as<kFunction, T>;
                internal_error("a reduction of a type that it doesn't take");
            });
        }
    });
}

Reduce::Reduce(ReduceFunction function, ElementType type, const ReduceSizes& sizes, Isa isa)
    : run_(choose(function, type)) {
    std::vector<NdAxis<2>> kept;
    std::vector<NdAxis<1>> reduced;
    std::int64_t from = 1, to = 1, line = 1;
    std::size_t lines = 0;  // reduced axes that are in no line
    for (std::size_t i = sizes.extents.size(); i-- > 0;) {
        const std::int64_t extent = sizes.extents[i];
        if (!sizes.reduced[i]) {
            kept.push_back({extent, {from, to}});
            to *= std::max<std::int64_t>(extent, 1);
        } else {
            reduced.push_back({extent, {from}});
            kept.empty() ? line *= extent : ++lines;
        }
        from *= std::max<std::int64_t>(extent, 1);
    }
    std::reverse(kept.begin(), kept.end());
    std::reverse(reduced.begin(), reduced.end());
    std::vector<NdAxis<1>> outer(reduced.begin(),
                                 reduced.begin() + static_cast<std::ptrdiff_t>(lines));
    layout_ = {NdLoop<2>(std::move(kept)), NdLoop<1>(std::move(reduced)), line,
               NdLoop<1>(std::move(outer))};
    const auto& run = layout_.reduced.run();
    layout_.has_vectors = isa == Isa::avx512 && run.steps[0] == 1 && run.count >= kVectorRun;
}

}  // namespace rondo::cpu
