// The transforms of a few numbers, which the passes of longer ones are made of.
#pragma once

#include <cstring>

namespace rondo::cpu {

/// Numbers that are computed side by side; each lane's bits are those of the same operations on
/// single numbers.
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

/// Transforms radix complex numbers in place. V: double or Lanes.
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

}  // namespace rondo::cpu
