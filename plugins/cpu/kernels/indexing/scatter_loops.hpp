// Loops that let updates meet the elements of a tensor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ops/indexing/functions.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Updates are taken in their order. Integers wrap; a boolean is true where its byte isn't 0.
struct ScatterLoops {
    /// Update i meets element places[i].
    void (*at)(void* data, const std::int64_t* places, const void* updates, std::int64_t count);
    /// Update i meets element i.
    void (*run)(void* data, const void* updates, std::int64_t count);
    /// Writes the value that a reduction begins with to element places[i].
    void (*reset)(void* data, const std::int64_t* places, std::int64_t count);
};

/// Null pointers for mean, and for f16 and bf16 unless the reduction is none.
ScatterLoops scatter_loops(ops::ScatterReduction reduction, ElementType type);

/// Sums are kept apart from the data, in 64 bits: floating types in double, integers exactly.
/// Integer means round towards zero. Immutable.
class ScatterMean {
public:
    /// `count`: elements of the data; `type`: numbers. `counts_data`: the data's own elements are
    /// part of the means.
    ScatterMean(ElementType type, std::int64_t count, bool counts_data);

    std::size_t scratch_bytes() const { return static_cast<std::size_t>(count_) * 2 * kWord; }

    void start(void* scratch) const;
    /// Update i meets element places[i].
    void add(void* scratch, const void* data, const std::int64_t* places, const void* updates,
             std::int64_t count) const {
        add_({scratch, data, places, updates, count, count_, counts_data_});
    }
    /// Writes the means of the elements that updates met.
    void finish(const void* scratch, void* data) const { finish_(scratch, data, count_); }

private:
    static constexpr std::size_t kWord = 8;  // bytes of a sum, and of a count

    struct Add {
        void* scratch;
        const void* data;
        const std::int64_t* places;
        const void* updates;
        std::int64_t count;
        std::int64_t elements;
        bool counts_data;
    };
    template <typename T, typename Sum>
    static void add_to_sums(const Add& add);
    template <typename T, typename Sum>
    static void write_means(const void* scratch, void* data, std::int64_t count);

    std::int64_t count_;
    bool counts_data_;
    void (*add_)(const Add& add) = nullptr;
    void (*finish_)(const void* scratch, void* data, std::int64_t count) = nullptr;
};

}  // namespace rondo::cpu
