// The calls that make and use tensors: of their own memory, borrowed, with strides, with a release.
#include <algorithm>
#include <cstring>
#include <limits>

#include "tests/fuzz/c_api_session.hpp"

namespace rondo::test {
namespace {

constexpr std::size_t kMemory = 16384;

// What tensors borrow; models get numbers whatever is there.
std::byte* memory() {
    alignas(64) static std::array<std::byte, kMemory> bytes{};
    return bytes.data();
}

void make_tensor(CallSession& session) {
    const auto shape = session.bytes.shape();
    const auto type = session.bytes.type();
    session.tensors.take([&](rondo_tensor_t** tensor) {
        return rondo_tensor_create(type, shape.data(), shape.size(), tensor);
    });
}

// How many bytes the elements span after the first one; empty if they are too many, or lie
// before it.
std::size_t span_of(const std::vector<std::size_t>& shape,
                    const std::vector<std::ptrdiff_t>& strides, std::size_t element) {
    constexpr std::size_t kTooMany = std::numeric_limits<std::size_t>::max();
    std::size_t span = element, count = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (strides[axis] < 0 || shape[axis] > kMemory) return kTooMany;
        count *= shape[axis];
        if (count > kMemory) return kTooMany;
        const std::size_t steps = shape[axis] == 0 ? 0 : shape[axis] - 1;
        span += steps * std::min(static_cast<std::size_t>(strides[axis]), kMemory);
    }
    return span;
}

// Strides may be 0, odd, and leave gaps. Memory is given where it has all elements.
void borrow(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const auto shape = bytes.shape();
    const auto type = bytes.type();
    const std::size_t element = rondo_element_size(type);
    std::vector<std::ptrdiff_t> strides(shape.size());
    std::size_t dense = element;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = static_cast<std::ptrdiff_t>(bytes.one_in(4) ? bytes.byte() : dense);
        dense *= std::min(shape[axis], kMemory);
        dense = std::min(dense, kMemory);
    }
    const std::size_t offset = bytes.one_in(4) ? bytes.byte() : 0;
    const bool fits = span_of(shape, strides, element) <= kMemory - offset;
    session.tensors.take([&](rondo_tensor_t** tensor) {
        return rondo_tensor_create_borrowed(type, shape.data(), shape.size(),
                                            fits ? memory() + offset : nullptr, strides.data(),
                                            tensor);
    });
}

void release(void* data) { delete static_cast<std::vector<std::byte>*>(data); }

void lend(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const auto shape = bytes.shape();
    const auto type = bytes.type();
    std::vector<std::ptrdiff_t> none(shape.size());
    std::size_t size = rondo_element_size(type);
    for (const std::size_t extent : shape) size *= std::min(extent, kMemory);
    const bool fits = span_of(shape, none, 0) == 0 && size > 0 && size <= kMemory;
    auto* lent = new std::vector<std::byte>(fits ? size : 0);
    bool taken = false;
    session.tensors.take([&](rondo_tensor_t** tensor) {
        const rondo_status_t status = rondo_tensor_create_with_release(
            type, shape.data(), shape.size(), fits ? lent->data() : nullptr, release, lent, tensor);
        taken = status == RONDO_OK;
        return status;
    });
    if (!taken) release(lent);
}

void ask_tensor(CallSession& session) {
    const rondo_tensor_t* tensor = session.tensors.any(session.bytes);
    rondo_element_type_t type = RONDO_DYNAMIC;
    const std::size_t* shape = nullptr;
    const std::ptrdiff_t* strides = nullptr;
    std::size_t rank = 0, axes = 0, size = 0;
    int contiguous = 0;
    void* data = nullptr;
    if (checked(rondo_tensor_element_type(tensor, &type)) != RONDO_OK) return;
    checked(rondo_tensor_shape(tensor, &shape, &rank));
    checked(rondo_tensor_strides(tensor, &strides, &axes));
    checked(rondo_tensor_size(tensor, &size));
    checked(rondo_tensor_is_contiguous(tensor, &contiguous));
    checked(rondo_tensor_strided_data(tensor, &data));
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) count *= shape[axis];
    internal_check(count == size && rank == axes, "a tensor has two shapes");
    const rondo_element_type_t asked = session.bytes.type();
    const rondo_status_t status = checked(rondo_tensor_data_as(tensor, asked, &data));
    internal_check((status == RONDO_OK) == (contiguous != 0 && asked == type),
                   "data of another type, or with gaps");
}

void use_tensor(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_tensor_t* tensor = session.tensors.any(bytes);
    const auto shape = bytes.shape();
    session.tensors.take([&](rondo_tensor_t** made) {
        return rondo_tensor_reshaped(tensor, shape.data(), shape.size(), made);
    });
    session.tensors.take(
        [&](rondo_tensor_t** made) { return rondo_tensor_contiguous(tensor, made); });
    const rondo_element_type_t type = bytes.type();
    std::size_t rounded = 0;
    std::size_t* counts = bytes.one_in(2) ? &rounded : nullptr;
    session.tensors.take(
        [&](rondo_tensor_t** made) { return rondo_tensor_converted(tensor, type, counts, made); });
    checked(rondo_tensor_copy_to(tensor, session.tensors.any(bytes)));
    void* data = nullptr;
    std::size_t size = 0;
    checked(rondo_tensor_byte_size(tensor, &size));
    const bool has_data = checked(rondo_tensor_data(tensor, &data)) == RONDO_OK;
    if (has_data && size > 0 && size < 65536) std::memset(data, 1, size);
}

void free_tensor(CallSession& session) { session.tensors.drop(session.bytes); }

}  // namespace

std::span<const SessionCall> tensor_calls() {
    static constexpr SessionCall kCalls[] = {make_tensor, make_tensor, make_tensor, borrow,
                                             lend,        ask_tensor,  use_tensor,  free_tensor};
    return kCalls;
}

}  // namespace rondo::test
