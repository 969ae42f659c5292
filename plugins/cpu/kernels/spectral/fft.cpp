#include "plugins/cpu/kernels/spectral/fft.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace rondo::cpu {
namespace {

// Numbers that are computed side by side; each lane's bits are those of the same operations on
// single numbers.
typedef double Lanes __attribute__((vector_size(16)));

template <typename V>
V load_lanes(const double* from) {
    V value;
    std::memcpy(&value, from, sizeof(V));
    return value;
}

template <typename V>
void store_lanes(double* to, const V& value) {
    std::memcpy(to, &value, sizeof(V));
}

// Transforms radix complex numbers in place. V: double or Lanes.
template <int radix>
struct Butterfly;

template <>
struct Butterfly<2> {
    template <typename V>
    static void run(V* re, V* im) {
        const V ar = re[0], ai = im[0];
        re[0] = ar + re[1];
        im[0] = ai + im[1];
        re[1] = ar - re[1];
        im[1] = ai - im[1];
    }
};

template <>
struct Butterfly<3> {
    template <typename V>
    static void run(V* re, V* im) {
        constexpr double kHalf = 0.5, kSin = 0.86602540378443864676;
        const V sum_re = re[1] + re[2], sum_im = im[1] + im[2];
        const V turned_re = (im[1] - im[2]) * kSin, turned_im = (re[2] - re[1]) * kSin;
        const V middle_re = re[0] - sum_re * kHalf, middle_im = im[0] - sum_im * kHalf;
        re[0] += sum_re;
        im[0] += sum_im;
        re[1] = middle_re + turned_re;
        im[1] = middle_im + turned_im;
        re[2] = middle_re - turned_re;
        im[2] = middle_im - turned_im;
    }
};

template <>
struct Butterfly<4> {
    template <typename V>
    static void run(V* re, V* im) {
        const V even_re = re[0] + re[2], even_im = im[0] + im[2];
        const V odd_re = re[1] + re[3], odd_im = im[1] + im[3];
        const V down_re = re[0] - re[2], down_im = im[0] - im[2];
        const V turned_re = im[1] - im[3], turned_im = re[3] - re[1];
        re[0] = even_re + odd_re;
        im[0] = even_im + odd_im;
        re[1] = down_re + turned_re;
        im[1] = down_im + turned_im;
        re[2] = even_re - odd_re;
        im[2] = even_im - odd_im;
        re[3] = down_re - turned_re;
        im[3] = down_im - turned_im;
    }
};

template <>
struct Butterfly<5> {
    // cos and sin of 72 and 144 degrees.
    template <typename V>
    static void run(V* re, V* im) {
        constexpr double kCos1 = 0.30901699437494742410, kCos2 = -0.80901699437494742410;
        constexpr double kSin1 = 0.95105651629515357212, kSin2 = 0.58778525229247312917;
        const V a_re = re[1] + re[4], a_im = im[1] + im[4];
        const V b_re = re[2] + re[3], b_im = im[2] + im[3];
        const V c_re = re[1] - re[4], c_im = im[1] - im[4];
        const V d_re = re[2] - re[3], d_im = im[2] - im[3];
        const V p_re = re[0] + a_re * kCos1 + b_re * kCos2;
        const V p_im = im[0] + a_im * kCos1 + b_im * kCos2;
        const V q_re = re[0] + a_re * kCos2 + b_re * kCos1;
        const V q_im = im[0] + a_im * kCos2 + b_im * kCos1;
        const V u_re = c_im * kSin1 + d_im * kSin2, u_im = c_re * kSin1 + d_re * kSin2;
        const V v_re = c_im * kSin2 - d_im * kSin1, v_im = c_re * kSin2 - d_re * kSin1;
        re[0] = re[0] + a_re + b_re;
        im[0] = im[0] + a_im + b_im;
        re[1] = p_re + u_re;
        im[1] = p_im - u_im;
        re[2] = q_re + v_re;
        im[2] = q_im - v_im;
        re[3] = q_re - v_re;
        im[3] = q_im + v_im;
        re[4] = p_re - u_re;
        im[4] = p_im + u_im;
    }
};

// e^(-2 pi j part / n), part in [0, n).
std::pair<double, double> unit_root(std::int64_t part, std::int64_t n) {
    const double angle =
        -2 * std::numbers::pi * (static_cast<double>(part) / static_cast<double>(n));
    return {std::cos(angle), std::sin(angle)};
}

// a * b mod n, for numbers below n that may not fit in 32 bits.
std::int64_t product_modulo(std::int64_t a, std::int64_t b, std::int64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(a) * static_cast<Wide>(b) %
                                     static_cast<Wide>(n));
}

// Fours first: their strides suit vectors best.
std::int64_t next_radix(std::int64_t n) {
    for (const std::int64_t radix : {4, 2, 3, 5}) {
        if (n % radix == 0) return radix;
    }
    std::int64_t factor = 7;
    while (factor * factor <= n && n % factor != 0) factor += 2;
    return n % factor == 0 ? factor : n;
}

std::int64_t largest_factor(std::int64_t n) {
    std::int64_t largest = 1;
    while (n > 1) {
        const std::int64_t radix = next_radix(n);
        largest = std::max(largest, radix);
        n /= radix;
    }
    return largest;
}

// The least 2^i, 3 * 2^i or 5 * 2^i that is not below n.
std::int64_t quick_length(std::int64_t n) {
    std::int64_t best = 0;
    for (std::int64_t length : {1, 3, 5}) {
        while (length < n) length *= 2;
        if (best == 0 || length < best) best = length;
    }
    return best;
}

// One pass over [radix][m][stride], to [m][radix][stride].
struct PassArgs {
    Planes x;
    Planes y;
    std::int64_t m;
    std::int64_t stride;
    const double* twiddle_re;
    const double* twiddle_im;
    // Roots, and the radix, where it is no template argument.
    const double* root_re;
    const double* root_im;
};

template <typename V>
void turn(V& re, V& im, const V& by_re, const V& by_im) {
    const V turned = re * by_re - im * by_im;
    im = re * by_im + im * by_re;
    re = turned;
}

// The columns [q, end) of row p of which V holds one or more; returns the first that is left.
template <typename V, int radix>
std::int64_t run_columns(const PassArgs& a, std::int64_t p, std::int64_t q) {
    constexpr std::int64_t kWidth = sizeof(V) / sizeof(double);
    const std::int64_t row = a.m * a.stride;
    for (; q + kWidth <= a.stride; q += kWidth) {
        V re[radix], im[radix];
        for (int k = 0; k < radix; ++k) {
            const std::int64_t at = k * row + p * a.stride + q;
            re[k] = load_lanes<V>(a.x.re + at);
            im[k] = load_lanes<V>(a.x.im + at);
        }
        Butterfly<radix>::run(re, im);
        for (int k = 0; k < radix; ++k) {
            if (k > 0 && a.m > 1) {
                const std::int64_t at = (k - 1) * a.m + p;
                turn(re[k], im[k], V{} + a.twiddle_re[at], V{} + a.twiddle_im[at]);
            }
            const std::int64_t at = (p * radix + k) * a.stride + q;
            store_lanes(a.y.re + at, re[k]);
            store_lanes(a.y.im + at, im[k]);
        }
    }
    return q;
}

// Rows [p, m) of a pass with stride 1, as many at once as V holds; returns the first that is left.
template <typename V, int radix>
std::int64_t run_rows(const PassArgs& a, std::int64_t p) {
    constexpr std::int64_t kWidth = sizeof(V) / sizeof(double);
    for (; p + kWidth <= a.m; p += kWidth) {
        V re[radix], im[radix];
        for (int k = 0; k < radix; ++k) {
            re[k] = load_lanes<V>(a.x.re + k * a.m + p);
            im[k] = load_lanes<V>(a.x.im + k * a.m + p);
        }
        Butterfly<radix>::run(re, im);
        for (int k = 1; k < radix; ++k) {
            const std::int64_t at = (k - 1) * a.m + p;
            turn(re[k], im[k], load_lanes<V>(a.twiddle_re + at), load_lanes<V>(a.twiddle_im + at));
        }
        for (std::int64_t i = 0; i < kWidth; ++i) {
            for (int k = 0; k < radix; ++k) {
                a.y.re[(p + i) * radix + k] = re[k][i];
                a.y.im[(p + i) * radix + k] = im[k][i];
            }
        }
    }
    return p;
}

template <int radix>
void run_radix(const PassArgs& a) {
    std::int64_t p = 0;
    if (a.stride == 1) p = run_rows<Lanes, radix>(a, p);
    for (; p < a.m; ++p) {
        run_columns<double, radix>(a, p, run_columns<Lanes, radix>(a, p, 0));
    }
}

// Number k of the transform of `radix` numbers.
std::pair<double, double> transformed_number(const PassArgs& a, int radix, int k, const double* re,
                                             const double* im) {
    double sum_re = re[0], sum_im = im[0];
    for (int i = 1, at = k; i < radix; ++i) {
        sum_re += re[i] * a.root_re[at] - im[i] * a.root_im[at];
        sum_im += re[i] * a.root_im[at] + im[i] * a.root_re[at];
        at = at + k < radix ? at + k : at + k - radix;
    }
    return {sum_re, sum_im};
}

// Radices without a formula of their own.
void run_any_radix(const PassArgs& a, int radix) {
    double re[Fft::kLargestRadix], im[Fft::kLargestRadix];
    const std::int64_t row = a.m * a.stride;
    for (std::int64_t column = 0; column < row; ++column) {
        const std::int64_t p = column / a.stride, q = column % a.stride;
        for (int k = 0; k < radix; ++k) {
            re[k] = a.x.re[k * row + column];
            im[k] = a.x.im[k * row + column];
        }
        for (int k = 0; k < radix; ++k) {
            auto [sum_re, sum_im] = transformed_number(a, radix, k, re, im);
            if (k > 0 && p > 0) {
                const std::int64_t at = (k - 1) * a.m + p;
                turn(sum_re, sum_im, a.twiddle_re[at], a.twiddle_im[at]);
            }
            a.y.re[(p * radix + k) * a.stride + q] = sum_re;
            a.y.im[(p * radix + k) * a.stride + q] = sum_im;
        }
    }
}

}  // namespace

// y[k] = c[k] sum over i of (x[i] c[i]) conj(c[k - i]), c[i] = e^(-pi j i^2 / n): a convolution,
// which is a product of spectra.
struct Fft::Convolution {
    explicit Convolution(std::int64_t n)
        : fft(quick_length(2 * n - 1)),
          chirp_re(static_cast<std::size_t>(n)),
          chirp_im(static_cast<std::size_t>(n)),
          spectrum_re(static_cast<std::size_t>(fft.n())),
          spectrum_im(static_cast<std::size_t>(fft.n())) {
        const Fft exact(fft.n());
        std::vector<double> work(static_cast<std::size_t>(exact.work_size(1)));
        const Planes kernel = exact.input(work.data(), 1);
        const auto length = static_cast<double>(fft.n());
        for (std::int64_t i = 0; i < n; ++i) {
            const auto [re, im] = unit_root(product_modulo(i, i, 2 * n), 2 * n);
            chirp_re[static_cast<std::size_t>(i)] = re;
            chirp_im[static_cast<std::size_t>(i)] = im;
            for (const std::int64_t at : {i, i == 0 ? i : fft.n() - i}) {
                kernel.re[at] = re / length;
                kernel.im[at] = -im / length;
            }
        }
        const Planes spectrum = exact.run(work.data(), 1);
        std::copy_n(spectrum.re, fft.n(), spectrum_re.begin());
        std::copy_n(spectrum.im, fft.n(), spectrum_im.begin());
    }

    // Multiplies [count][lanes] by the table.
    static void multiply(Planes x, std::int64_t count, std::int64_t lanes,
                         const std::vector<double>& by_re, const std::vector<double>& by_im) {
        for (std::int64_t i = 0; i < count; ++i) {
            const double re = by_re[static_cast<std::size_t>(i)],
                         im = by_im[static_cast<std::size_t>(i)];
            for (std::int64_t at = i * lanes; at < (i + 1) * lanes; ++at) {
                turn(x.re[at], x.im[at], re, im);
            }
        }
    }

    Fft fft;
    std::vector<double> chirp_re, chirp_im;
    std::vector<double> spectrum_re, spectrum_im;
};

Fft::Fft(std::int64_t n) : n_(n), longest_(n) {
    if (largest_factor(n) > kLargestRadix) {
        convolution_ = std::make_shared<const Convolution>(n);
        longest_ = convolution_->fft.n();
        return;
    }
    // At once: a size that no machine holds fails here.
    table_re_.reserve(static_cast<std::size_t>(n));
    table_im_.reserve(static_cast<std::size_t>(n));
    for (std::int64_t left = n; left > 1;) {
        const std::int64_t radix = next_radix(left);
        left /= radix;
        add_pass(radix, left);
    }
}

// Adds e^(-2 pi j factor i / n) for i in [0, count); returns where they begin.
std::size_t Fft::add_roots(std::int64_t factor, std::int64_t count, std::int64_t n) {
    const std::size_t begin = table_re_.size();
    for (std::int64_t i = 0; i < count; ++i) {
        const auto [re, im] = unit_root(product_modulo(factor, i, n), n);
        table_re_.push_back(re);
        table_im_.push_back(im);
    }
    return begin;
}

void Fft::add_pass(std::int64_t radix, std::int64_t m) {
    Pass pass{static_cast<int>(radix), m, table_re_.size()};
    for (std::int64_t k = 1; k < radix; ++k) add_roots(k, m, radix * m);
    if (radix > 5) pass.roots = add_roots(1, radix, radix);
    passes_.push_back(pass);
}

void Fft::run_pass(const Pass& pass, std::int64_t stride, Planes x, Planes y) const {
    const PassArgs args{x,
                        y,
                        pass.m,
                        stride,
                        table_re_.data() + pass.twiddles,
                        table_im_.data() + pass.twiddles,
                        table_re_.data() + pass.roots,
                        table_im_.data() + pass.roots};
    switch (pass.radix) {
        case 2: return run_radix<2>(args);
        case 3: return run_radix<3>(args);
        case 4: return run_radix<4>(args);
        case 5: return run_radix<5>(args);
        default: return run_any_radix(args, pass.radix);
    }
}

Planes Fft::run_passes(Planes x, Planes y, std::int64_t lanes) const {
    std::int64_t stride = lanes;
    for (const Pass& pass : passes_) {
        run_pass(pass, stride, x, y);
        stride *= pass.radix;
        std::swap(x, y);
    }
    return x;
}

Planes Fft::convolve(Planes x, Planes y, std::int64_t lanes) const {
    const Convolution& by = *convolution_;
    by.multiply(x, n_, lanes, by.chirp_re, by.chirp_im);
    std::fill(x.re + n_ * lanes, x.re + longest_ * lanes, 0.0);
    std::fill(x.im + n_ * lanes, x.im + longest_ * lanes, 0.0);
    const Planes spectrum = by.fft.run_passes(x, y, lanes);
    by.multiply(spectrum, longest_, lanes, by.spectrum_re, by.spectrum_im);
    // Exchanged parts make the transform the inverse one.
    const Planes other = spectrum.re == x.re ? y : x;
    const Planes turned =
        by.fft.run_passes({spectrum.im, spectrum.re}, {other.im, other.re}, lanes);
    const Planes result{turned.im, turned.re};
    by.multiply(result, n_, lanes, by.chirp_re, by.chirp_im);
    return result;
}

Planes Fft::run(double* work, std::int64_t lanes) const {
    const Planes x = input(work, lanes);
    const Planes y = input(work + 2 * longest_ * lanes, lanes);
    return convolution_ ? convolve(x, y, lanes) : run_passes(x, y, lanes);
}

}  // namespace rondo::cpu
