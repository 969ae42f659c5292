#include "bindings/onnxruntime/src/element_types.hpp"

#include <string>

#include "rondo/error.hpp"

namespace rondo::ort {

ElementType element_type_of_number(int number) {
    switch (number) {
        case 1: return ElementType::f32;
        case 2: return ElementType::u8;
        case 3: return ElementType::i8;
        case 4: return ElementType::u16;
        case 5: return ElementType::i16;
        case 6: return ElementType::i32;
        case 7: return ElementType::i64;
        case 9: return ElementType::boolean;
        case 10: return ElementType::f16;
        case 11: return ElementType::f64;
        case 12: return ElementType::u32;
        case 13: return ElementType::u64;
        case 16: return ElementType::bf16;
        case 17: return ElementType::f8e4m3;
        case 18: return ElementType::f8e4m3fnuz;
        case 19: return ElementType::f8e5m2;
        case 20: return ElementType::f8e5m2fnuz;
        default: break;
    }
    throw UnsupportedError("tensors of ONNX's element type " + std::to_string(number) +
                           " can't be inputs or outputs");
}

}  // namespace rondo::ort
