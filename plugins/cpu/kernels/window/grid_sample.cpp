#include "plugins/cpu/kernels/window/grid_sample.hpp"

#include <algorithm>
#include <cstring>

#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"
#include "plugins/cpu/kernels/movement/copy_bytes.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kBlockTaps = 512;            // of the points that are sampled together
constexpr std::int64_t kGridSampleGrain = 1 << 14;  // taps that are worth a thread

// What all samplers do: find the taps of a block of points, then visit each plane.
class BlockSampler : public GridSampler {
public:
    BlockSampler(ElementType grid_type, const ops::GridRule& rule, const GridSizes& sizes)
        : grid_type_(grid_type), rule_(rule), sizes_(sizes) {
        for (std::int64_t i = 0; i < sizes.spatial; ++i) {
            taps_ *= rule.taps();
            plane_ *= sizes.extents[static_cast<std::size_t>(i)];
        }
        block_ = std::max<std::int64_t>(kBlockTaps / taps_, 1);
        blocks_ = (sizes.points + block_ - 1) / block_;
    }

    void run(const GridArgs& args, Team& team) const override {
        const std::int64_t cost = block_ * taps_ * (sizes_.channels + 4);
        share(team, sizes_.batch * blocks_, kGridSampleGrain / cost + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) run_block(args, i);
              });
    }

protected:
    // The taps of a block of points, one point after another; -1 means no element.
    struct Taps {
        std::array<std::int64_t, kBlockTaps> places;
        std::array<double, kBlockTaps> weights;
    };
    // Plane `plane` at the points [first, first + count).
    struct Piece {
        std::int64_t plane, first, count;
    };

    virtual void sample(const GridArgs& args, const Taps& taps, const Piece& piece) const = 0;

    std::int64_t taps() const { return taps_; }
    std::int64_t plane_size() const { return plane_; }
    std::int64_t points() const { return sizes_.points; }

private:
    double number(const void* grid, std::int64_t index) const {
        switch (grid_type_) {
            case ElementType::f64: return static_cast<const double*>(grid)[index];
            case ElementType::f16: return widened(static_cast<const float16*>(grid)[index]);
            case ElementType::bf16: return widened(static_cast<const bfloat16*>(grid)[index]);
            default: return widened(static_cast<const float*>(grid)[index]);
        }
    }

    // The last axis varies fastest, as in the data.
    void find_taps(const void* grid, std::int64_t point, std::int64_t* places,
                   double* weights) const {
        places[0] = 0;
        weights[0] = 1;
        std::int64_t count = 1;
        for (std::int64_t axis = 0; axis < sizes_.spatial; ++axis) {
            const double normal = number(grid, point * sizes_.spatial + sizes_.spatial - 1 - axis);
            const std::int64_t extent = sizes_.extents[static_cast<std::size_t>(axis)];
            const auto own = ops::grid_taps(rule_, normal, extent);
            for (std::int64_t i = count; i-- > 0;) {  // backwards: each one makes room for several
                const std::int64_t place = places[i];
                const double weight = weights[i];
                for (std::int64_t k = 0; k < rule_.taps(); ++k) {
                    const std::int64_t next = own.places[static_cast<std::size_t>(k)];
                    places[i * rule_.taps() + k] =
                        place < 0 || next < 0 ? -1 : place * extent + next;
                    weights[i * rule_.taps() + k] =
                        weight * own.weights[static_cast<std::size_t>(k)];
                }
            }
            count *= rule_.taps();
        }
    }

    void run_block(const GridArgs& args, std::int64_t index) const {
        const std::int64_t batch = index / blocks_;
        const std::int64_t first = index % blocks_ * block_;
        const std::int64_t count = std::min(block_, sizes_.points - first);
        Taps taps;
        for (std::int64_t i = 0; i < count; ++i) {
            find_taps(args.grid, batch * sizes_.points + first + i, &taps.places[at(i)],
                      &taps.weights[at(i)]);
        }
        for (std::int64_t channel = 0; channel < sizes_.channels; ++channel) {
            sample(args, taps, {batch * sizes_.channels + channel, first, count});
        }
    }
    std::size_t at(std::int64_t point) const { return static_cast<std::size_t>(point * taps_); }

    ElementType grid_type_;
    ops::GridRule rule_;
    GridSizes sizes_;
    std::int64_t taps_ = 1;   // a point
    std::int64_t plane_ = 1;  // elements of a plane of the data
    std::int64_t block_ = 1;  // points
    std::int64_t blocks_ = 1;
};

template <typename T>
class WeightedSampler final : public BlockSampler {
public:
    using BlockSampler::BlockSampler;

private:
    void sample(const GridArgs& args, const Taps& taps, const Piece& piece) const override {
        const T* data = static_cast<const T*>(args.data) + piece.plane * plane_size();
        T* out = static_cast<T*>(args.out) + piece.plane * points() + piece.first;
        const std::int64_t* places = taps.places.data();
        const double* weights = taps.weights.data();
        for (std::int64_t i = 0; i < piece.count;
             ++i, places += this->taps(), weights += this->taps()) {
            T sum = 0;
            for (std::int64_t k = 0; k < this->taps(); ++k) {
                if (places[k] >= 0) sum += static_cast<T>(weights[k]) * data[places[k]];
            }
            out[i] = sum;
        }
    }
};

class NearestSampler final : public BlockSampler {
public:
    NearestSampler(std::int64_t bytes, ElementType grid_type, const ops::GridRule& rule,
                   const GridSizes& sizes)
        : BlockSampler(grid_type, rule, sizes), bytes_(bytes) {}

private:
    void sample(const GridArgs& args, const Taps& taps, const Piece& piece) const override {
        const char* data =
            static_cast<const char*>(args.data) + piece.plane * plane_size() * bytes_;
        char* out = static_cast<char*>(args.out) + (piece.plane * points() + piece.first) * bytes_;
        for (std::int64_t i = 0; i < piece.count; ++i, out += bytes_) {
            const std::int64_t place = taps.places[static_cast<std::size_t>(i)];
            if (place < 0) {
                std::memset(out, 0, static_cast<std::size_t>(bytes_));
            } else {
                copy_bytes(out, data + place * bytes_, bytes_);
            }
        }
    }

    std::int64_t bytes_;  // of an element
};

}  // namespace

std::unique_ptr<GridSampler> make_grid_sampler(ElementType type, ElementType grid_type,
                                               const ops::GridRule& rule, const GridSizes& sizes) {
    if (rule.mode == ops::GridMode::nearest) {
        return std::make_unique<NearestSampler>(static_cast<std::int64_t>(size_of(type)), grid_type,
                                                rule, sizes);
    }
    if (type == ElementType::f64) {
        return std::make_unique<WeightedSampler<double>>(grid_type, rule, sizes);
    }
    internal_check(type == ElementType::f32, "a grid samples a type that it doesn't take");
    return std::make_unique<WeightedSampler<float>>(grid_type, rule, sizes);
}

}  // namespace rondo::cpu
