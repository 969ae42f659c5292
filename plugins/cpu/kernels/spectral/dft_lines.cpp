#include "plugins/cpu/kernels/spectral/dft_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rondo::cpu {
namespace {

constexpr std::int64_t kMostLanes = 16;
constexpr std::int64_t kLeastLanes = 4;
constexpr std::int64_t kCachedNumbers = 1 << 14;  // complex ones: of all lanes

bool is_real(DftKind kind) { return kind == DftKind::from_real || kind == DftKind::to_real; }

std::int64_t complex_length(DftKind kind, std::int64_t n) {
    return is_real(kind) && n % 2 == 0 ? n / 2 : n;
}

void fill_with_zeros(Planes z, std::int64_t begin, std::int64_t end) {
    if (begin >= end) return;
    std::fill(z.re + begin, z.re + end, 0.0);
    std::fill(z.im + begin, z.im + end, 0.0);
}

// Calls visit(i, at, lane) for number i of each lane, which is number `at` of the planes.
template <typename Visit>
void for_each_number(std::int64_t begin, std::int64_t end, std::int64_t lanes, Visit visit) {
    for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) visit(i, i * lanes + lane, lane);
    }
}

}  // namespace

template <typename T>
DftLines<T>::DftLines(DftKind kind, const DftSizes& sizes)
    : kind_(kind), sizes_(sizes), fft_(complex_length(kind, sizes.n)) {
    if (!in_pairs()) return;
    for (std::int64_t k = 0; k <= sizes.n / 2; ++k) {
        const double angle =
            -2 * std::numbers::pi * (static_cast<double>(k) / static_cast<double>(sizes.n));
        half_re_.push_back(std::cos(angle));
        half_im_.push_back(std::sin(angle));
    }
    half_im_.back() = 0;  // the sine of pi
}

template <typename T>
std::int64_t DftLines<T>::best_lanes() const {
    const std::int64_t cached = kCachedNumbers / fft_.n() / kLeastLanes * kLeastLanes;
    return std::min(sizes_.inner, std::clamp(cached, kLeastLanes, kMostLanes));
}

// `needed` numbers of each lane, zeros where there are none.
template <typename T>
void DftLines<T>::load_complex(const DftArgs<T>& args, Planes z, std::int64_t needed) const {
    const std::int64_t lanes = args.lanes, inner = sizes_.inner;
    const std::int64_t count = std::min(sizes_.taken, needed);
    if (inner == 1) {  // one loop, which becomes vectors
        for (std::int64_t i = 0; i < count; ++i) {
            z.re[i] = args.from[2 * i];
            z.im[i] = args.from[2 * i + 1];
        }
    } else {
        for_each_number(0, count, lanes, [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
            z.re[at] = args.from[2 * (i * inner + lane)];
            z.im[at] = args.from[2 * (i * inner + lane) + 1];
        });
    }
    fill_with_zeros(z, count * lanes, needed * lanes);
}

// Real numbers as complex ones.
template <typename T>
void DftLines<T>::load_real(const DftArgs<T>& args, Planes z) const {
    const std::int64_t count = std::min(sizes_.taken, sizes_.n);
    fill_with_zeros(z, 0, sizes_.n * args.lanes);
    for_each_number(0, count, args.lanes, [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
        z.re[at] = args.from[i * sizes_.inner + lane];
        if (args.window != nullptr) z.re[at] *= args.window[i];
    });
}

// Real numbers 2 i and 2 i + 1 as the parts of complex number i.
template <typename T>
void DftLines<T>::load_pairs(const DftArgs<T>& args, Planes z) const {
    const std::int64_t lanes = args.lanes, inner = sizes_.inner;
    const std::int64_t count = std::min(sizes_.taken, sizes_.n), pairs = count / 2;
    const T* from = args.from;
    if (args.window != nullptr) {
        for (std::int64_t i = 0; i < pairs; ++i) {
            z.re[i] = static_cast<double>(from[2 * i]) * args.window[2 * i];
            z.im[i] = static_cast<double>(from[2 * i + 1]) * args.window[2 * i + 1];
        }
    } else if (inner == 1) {
        for (std::int64_t i = 0; i < pairs; ++i) {
            z.re[i] = from[2 * i];
            z.im[i] = from[2 * i + 1];
        }
    } else {
        for_each_number(0, pairs, lanes, [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
            z.re[at] = from[2 * i * inner + lane];
            z.im[at] = from[(2 * i + 1) * inner + lane];
        });
    }
    fill_with_zeros(z, pairs * lanes, fft_.n() * lanes);
    if (count % 2 == 0) return;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const double last = from[(count - 1) * inner + lane];
        z.re[pairs * lanes + lane] = args.window != nullptr ? last * args.window[count - 1] : last;
    }
}

// A factor of 0 would leave NaN where the number is one or an infinity.
template <typename T>
void DftLines<T>::clear_ends(const DftArgs<T>& args, Planes z) const {
    const auto clear = [&](std::int64_t i) {
        if (in_pairs()) {
            (i % 2 == 0 ? z.re : z.im)[i / 2] = 0;
        } else {
            z.re[i] = 0;
        }
    };
    for (std::int64_t i = 0; i < args.zeros_before; ++i) clear(i);
    for (std::int64_t i = 0; i < args.zeros_behind; ++i) clear(sizes_.n - 1 - i);
}

// A half of n/2 + 1 numbers as the line of n/2 numbers whose inverse transform has the real ones as
// pairs: z[k] = (y[k] + conj(y[h - k])) / 2 + j e^(2 pi j k / n) (y[k] - conj(y[h - k])) / 2, h =
// n / 2. The halves are part of the last scale.
template <typename T>
void DftLines<T>::join_halves(const DftArgs<T>& args, Planes z) const {
    const std::int64_t h = sizes_.n / 2, lanes = args.lanes, step = 2 * sizes_.inner;
    const auto part = [&](std::int64_t k, std::int64_t at) {
        return k < sizes_.taken ? static_cast<double>(args.from[k * step + at]) : 0.0;
    };
    for_each_number(0, h, lanes, [&](std::int64_t k, std::int64_t at, std::int64_t lane) {
        const double a_re = part(k, 2 * lane), b_re = part(h - k, 2 * lane);
        // Real numbers have real numbers 0 and n/2.
        const double a_im = k == 0 ? 0.0 : part(k, 2 * lane + 1);
        const double b_im = k == 0 ? 0.0 : part(h - k, 2 * lane + 1);
        const double down_re = a_re - b_re, down_im = a_im + b_im;
        const auto root = static_cast<std::size_t>(k);
        const double turned_re = down_re * half_re_[root] + down_im * half_im_[root];
        const double turned_im = down_im * half_re_[root] - down_re * half_im_[root];
        z.re[at] = a_re + b_re - turned_im;
        z.im[at] = a_im - b_im + turned_re;
    });
}

// A half of n/2 + 1 numbers, n odd, completed by conjugates.
template <typename T>
void DftLines<T>::mirror(const DftArgs<T>& args, Planes z) const {
    load_complex(args, z, sizes_.n / 2 + 1);
    for_each_number(0, sizes_.n / 2 + 1, args.lanes,
                    [&](std::int64_t k, std::int64_t at, std::int64_t lane) {
                        if (k == 0) {
                            z.im[at] = 0;
                            return;
                        }
                        const std::int64_t other = (sizes_.n - k) * args.lanes + lane;
                        z.re[other] = z.re[at];
                        z.im[other] = -z.im[at];
                    });
}

template <typename T>
void DftLines<T>::store_complex(const DftArgs<T>& args, Planes z, std::int64_t count,
                                double scale) const {
    const std::int64_t step = args.to_step == 0 ? sizes_.inner : args.to_step;
    if (step == 1) {
        for (std::int64_t i = 0; i < count; ++i) {
            args.to[2 * i] = static_cast<T>(z.re[i] * scale);
            args.to[2 * i + 1] = static_cast<T>(z.im[i] * scale);
        }
        return;
    }
    for_each_number(0, count, args.lanes, [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
        args.to[2 * (i * step + lane)] = static_cast<T>(z.re[at] * scale);
        args.to[2 * (i * step + lane) + 1] = static_cast<T>(z.im[at] * scale);
    });
}

// The transform of n real numbers from that of their pairs:
// y[k] = (z[k] + conj(z[h - k])) / 2 - j e^(-2 pi j k / n) (z[k] - conj(z[h - k])) / 2, h = n / 2.
template <typename T>
void DftLines<T>::store_spectrum(const DftArgs<T>& args, Planes z) const {
    const std::int64_t h = sizes_.n / 2, lanes = args.lanes;
    const std::int64_t step = args.to_step == 0 ? sizes_.inner : args.to_step;
    constexpr double kHalf = 0.5;
    const auto one = [&](std::int64_t k, std::int64_t lane, std::int64_t a, std::int64_t b) {
        const double up_re = z.re[a] + z.re[b], up_im = z.im[a] - z.im[b];
        const double down_re = z.re[a] - z.re[b], down_im = z.im[a] + z.im[b];
        const double re = half_re_[static_cast<std::size_t>(k)];
        const double im = half_im_[static_cast<std::size_t>(k)];
        T* to = args.to + 2 * (k * step + lane);
        to[0] = static_cast<T>(kHalf * (up_re + (down_im * re + down_re * im)));
        to[1] = static_cast<T>(kHalf * (up_im + (down_im * im - down_re * re)));
    };
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        one(0, lane, lane, lane);
        one(h, lane, lane, lane);
    }
    if (lanes == 1) {
        for (std::int64_t k = 1; k < h; ++k) one(k, 0, k, h - k);
        return;
    }
    for_each_number(1, h, lanes, [&](std::int64_t k, std::int64_t at, std::int64_t lane) {
        one(k, lane, at, (h - k) * lanes + lane);
    });
}

template <typename T>
void DftLines<T>::store_real(const DftArgs<T>& args, Planes z) const {
    const std::int64_t inner = sizes_.inner;
    const double scale = 1 / static_cast<double>(sizes_.n);
    if (!in_pairs()) {
        for_each_number(0, sizes_.n, args.lanes,
                        [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
                            args.to[i * inner + lane] = static_cast<T>(z.re[at] * scale);
                        });
        return;
    }
    for_each_number(0, fft_.n(), args.lanes,
                    [&](std::int64_t i, std::int64_t at, std::int64_t lane) {
                        args.to[2 * i * inner + lane] = static_cast<T>(z.re[at] * scale);
                        args.to[(2 * i + 1) * inner + lane] = static_cast<T>(z.im[at] * scale);
                    });
}

template <typename T>
void DftLines<T>::run(const DftArgs<T>& args) const {
    const Planes z = fft_.input(args.work, args.lanes);
    switch (kind_) {
        case DftKind::complex_forward: {
            load_complex(args, z, sizes_.n);
            return store_complex(args, fft_.run(args.work, args.lanes), sizes_.n, 1);
        }
        case DftKind::from_real: {
            if (in_pairs()) {
                load_pairs(args, z);
                clear_ends(args, z);
                return store_spectrum(args, fft_.run(args.work, args.lanes));
            }
            load_real(args, z);
            clear_ends(args, z);
            return store_complex(args, fft_.run(args.work, args.lanes), sizes_.n / 2 + 1, 1);
        }
        case DftKind::complex_back:
        case DftKind::to_real: break;
    }
    // The inverse transform is that of exchanged parts.
    const Planes exchanged{z.im, z.re};
    if (kind_ == DftKind::complex_back) {
        load_complex(args, exchanged, sizes_.n);
    } else if (in_pairs()) {
        join_halves(args, exchanged);
    } else {
        mirror(args, exchanged);
    }
    const Planes result = fft_.run(args.work, args.lanes);
    if (kind_ == DftKind::to_real) return store_real(args, {result.im, result.re});
    store_complex(args, {result.im, result.re}, sizes_.n, 1 / static_cast<double>(sizes_.n));
}

template class DftLines<float>;
template class DftLines<double>;

}  // namespace rondo::cpu
