// Plain elementwise functions of two inputs.
#include <algorithm>

#include "plugins/cpu/kernels/elementwise/elementwise.hpp"

// Each loop is compiled for three instruction sets; add, sub, mul, div, max and min round alike in
// all of them. `flatten` inlines the loop into each function, which lets it use that set.

namespace rondo::cpu {
namespace {

enum class Form { arrays, right_scalar, left_scalar };

struct Arguments {
    const float* a;
    const float* b;
    float* out;
    std::int64_t n;
};

struct Add {
    float operator()(float a, float b) const { return a + b; }
};
struct Subtract {
    float operator()(float a, float b) const { return a - b; }
};
struct Multiply {
    float operator()(float a, float b) const { return a * b; }
};
struct Divide {
    float operator()(float a, float b) const { return a / b; }
};
// NaN in either operand gives NaN, as ONNX's Max and Min do in onnxruntime.
struct Maximum {
    float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};
struct Minimum {
    float operator()(float a, float b) const { return a < b || a != a ? a : b; }
};

template <typename Op, Form form>
inline void loop(const Arguments& args) {
    const Op op;
    const float* a = args.a;
    const float* b = args.b;
    float* out = args.out;
    if constexpr (form == Form::arrays) {
        for (std::int64_t i = 0; i < args.n; ++i) out[i] = op(a[i], b[i]);
    } else if constexpr (form == Form::right_scalar) {
        const float scalar = *b;
        for (std::int64_t i = 0; i < args.n; ++i) out[i] = op(a[i], scalar);
    } else {
        const float scalar = *a;
        for (std::int64_t i = 0; i < args.n; ++i) out[i] = op(scalar, b[i]);
    }
}

template <Form form>
inline void dispatch_kind(BinaryKind kind, const Arguments& args) {
    switch (kind) {
        case BinaryKind::add: return loop<Add, form>(args);
        case BinaryKind::subtract: return loop<Subtract, form>(args);
        case BinaryKind::multiply: return loop<Multiply, form>(args);
        case BinaryKind::divide: return loop<Divide, form>(args);
        case BinaryKind::maximum: return loop<Maximum, form>(args);
        case BinaryKind::minimum: return loop<Minimum, form>(args);
    }
}

template <Form form>
__attribute__((flatten, target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512"))) void
run_avx512(BinaryKind kind, const Arguments& args) {
    dispatch_kind<form>(kind, args);
}

template <Form form>
__attribute__((flatten, target("avx2"))) void run_avx2(BinaryKind kind, const Arguments& args) {
    dispatch_kind<form>(kind, args);
}

template <Form form>
void run(Isa isa, BinaryKind kind, const Arguments& args) {
    if (isa == Isa::avx512) return run_avx512<form>(kind, args);
    if (isa == Isa::avx2) return run_avx2<form>(kind, args);
    dispatch_kind<form>(kind, args);
}

}  // namespace

void binary(Isa isa, BinaryKind kind, const float* a, const float* b, float* out, std::int64_t n) {
    run<Form::arrays>(isa, kind, {a, b, out, n});
}

void binary_right_scalar(Isa isa, BinaryKind kind, const float* a, float b, float* out,
                         std::int64_t n) {
    run<Form::right_scalar>(isa, kind, {a, &b, out, n});
}

void binary_left_scalar(Isa isa, BinaryKind kind, float a, const float* b, float* out,
                        std::int64_t n) {
    run<Form::left_scalar>(isa, kind, {&a, b, out, n});
}

}  // namespace rondo::cpu
