// The greatest element of each window and its place, window by window.
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/pool.hpp"
#include "plugins/cpu/kernels/window/window_scan.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPlacePoolGrain = 1 << 14;  // elements that are worth a thread

template <typename T>
bool is_greater(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a > b || (a != a && b == b);
    return a > b;
}

// Numbers of 16 bits are compared as they are stored: widening keeps their order.
template <typename T>
auto number_of(T x) {
    if constexpr (is_16_bit_float<T>) {
        return static_cast<float>(x);
    } else {
        return x;
    }
}

template <typename T>
T least() {
    if constexpr (is_16_bit_float<T>) {
        return T(-std::numeric_limits<float>::infinity());
    } else if constexpr (std::is_floating_point_v<T>) {
        return -std::numeric_limits<T>::infinity();
    } else {
        return std::numeric_limits<T>::min();
    }
}

template <typename T>
class PlacePool final : public Pool {
public:
    PlacePool(const PoolSizes& sizes, const PlaceConfig& places) : sizes_(sizes), places_(places) {
        for (const WindowAxis& axis : sizes.axes) {
            input_ *= axis.input;
            output_ *= axis.output;
            taps_ = taps_ > kPlacePoolGrain
                        ? taps_
                        : taps_ * std::max<std::int64_t>(std::min(axis.kernel, axis.input), 1);
        }
    }

    void run(const PoolArgs& args, Team& team) const override {
        share(team, sizes_.planes * output_, kPlacePoolGrain / taps_ + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) run_window(args, i);
              });
    }

private:
    void run_window(const PoolArgs& args, std::int64_t index) const {
        const std::int64_t first = index / output_ * input_;
        const T* data = static_cast<const T*>(args.data) + first;
        std::int64_t best = -1;
        for_each_covered(sizes_.axes, index % output_, [&](std::int64_t place) {
            if (best < 0 || is_greater(number_of(data[place]), number_of(data[best]))) {
                best = place;
            }
        });
        static_cast<T*>(args.out)[index] = best < 0 ? least<T>() : data[best];
        if (args.places == nullptr) return;
        const std::int64_t place = best < 0 ? 0 : (first + best) % places_.block;
        if (places_.type == ElementType::i32) {
            static_cast<std::int32_t*>(args.places)[index] = static_cast<std::int32_t>(place);
        } else {
            static_cast<std::int64_t*>(args.places)[index] = place;
        }
    }

    PoolSizes sizes_;
    PlaceConfig places_;
    std::int64_t input_ = 1;   // elements of a plane of the data
    std::int64_t output_ = 1;  // and of the output
    std::int64_t taps_ = 1;    // elements that a window covers at most, about
};

}  // namespace

std::unique_ptr<Pool> make_place_pool(ElementType type, const PoolSizes& sizes,
                                      const PlaceConfig& places) {
    return visit_type(type, [&](auto tag) -> std::unique_ptr<Pool> {
        using T = tag_type<decltype(tag)>;
        if constexpr (!std::is_same_v<T, bool>) {
            return std::make_unique<PlacePool<T>>(sizes, places);
        }
        internal_error("a pool of a type that it doesn't take");
    });
}

}  // namespace rondo::cpu
