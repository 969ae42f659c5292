// What the calls of the C API that fuzz_c_api.cpp makes share: numbers out of the input, and the
// handles that there are.
#pragma once

#include <rondo/rondo.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/support/errors.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test {

inline constexpr const char* kDetector = RONDO_SOURCE_DIR "/docs/examples/streaming/detector.xml";
inline constexpr const char* kStatefulModel =
    RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml";

/// Gives numbers out of the input; zeros after its end.
class CallBytes {
public:
    CallBytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    bool empty() const { return left_ == 0; }
    std::size_t byte() {
        if (left_ == 0) return 0;
        --left_;
        return *data_++;
    }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : byte() % count; }
    bool one_in(std::size_t count) { return below(count) == 0; }
    /// Mostly small, sometimes huge.
    std::uint64_t number() {
        const std::size_t first = byte();
        if (first < 224) return first % 20;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < first % 9; ++i) value = value << 8 | byte();
        return value;
    }
    std::size_t size() { return static_cast<std::size_t>(number()); }
    std::int64_t integer() { return static_cast<std::int64_t>(number()); }
    /// A name, a property, a value, a shape or a path; sometimes NULL.
    const char* text() {
        constexpr std::array kTexts = {"audio",
                                       "h",
                                       "c",
                                       "score",
                                       "h_out",
                                       "c_out",
                                       "CPU",
                                       "REFERENCE",
                                       "PERF_COUNT",
                                       "YES",
                                       "f32",
                                       "u8",
                                       "1,5,16",
                                       "1,?,16",
                                       "[...]",
                                       "",
                                       "MAX_NODES",
                                       "PERF_TRACE",
                                       "auto",
                                       kDetector,
                                       kStatefulModel,
                                       "no_such_file",
                                       "AUDIO",
                                       "X",
                                       "2..4,1",
                                       "NUM_STREAMS",
                                       "2"};
        const std::size_t at = below(kTexts.size() + 1);
        return at == kTexts.size() ? nullptr : kTexts[at];
    }
    std::vector<std::size_t> shape() {
        switch (below(4)) {  // of the models' inputs, or any
            case 0: return {1, below(7), 16};
            case 1: return {1, 1, 24};
            case 2: return {below(3), below(7), 3};
            default: break;
        }
        std::vector<std::size_t> extents(below(5));
        for (auto& extent : extents) extent = size();
        return extents;
    }
    rondo_element_type_t type() {
        if (!one_in(4)) return RONDO_F32;
        return static_cast<rondo_element_type_t>(number() & 0x7fffffff);
    }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

/// A failing call says why, and none reports a bug.
inline rondo_status_t checked(rondo_status_t status) {
    internal_check(status != RONDO_INTERNAL_ERROR, rondo_last_error_message());
    internal_check(status >= RONDO_OK && status <= RONDO_QUEUE_FULL, "no status");
    internal_check(status == RONDO_OK || *rondo_last_error_message() != '\0', "no message");
    return status;
}

/// Handles of a kind, freed at the end. One of them may be asked for, or NULL.
template <typename T>
class Handles {
public:
    explicit Handles(void (*free)(T*)) : free_(free) {}
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        for (T* handle : all_) free_(handle);
    }
    /// Takes what `call` gives: NULL exactly where it fails.
    template <typename Call>
    void take(const Call& call) {
        T* handle = nullptr;
        const rondo_status_t status = checked(call(&handle));
        internal_check((status == RONDO_OK) == (handle != nullptr), "a handle without success");
        if (handle != nullptr) all_.push_back(handle);
    }
    /// Frees one of them.
    void drop(CallBytes& bytes) {
        if (all_.empty()) return;
        const std::size_t at = bytes.below(all_.size());
        free_(all_[at]);
        all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    T* any(CallBytes& bytes) const {
        if (all_.empty() || bytes.one_in(8)) return nullptr;
        return all_[bytes.below(all_.size())];
    }
    T* at(std::size_t index) const { return index < all_.size() ? all_[index] : nullptr; }
    T* newest() const { return all_.empty() ? nullptr : all_.back(); }

private:
    void (*free_)(T*);
    std::vector<T*> all_;
};

/// What the calls of one input have made.
struct CallSession {
    CallBytes bytes;
    Handles<rondo_core_t> cores{rondo_core_free};
    Handles<rondo_model_t> models{rondo_model_free};
    Handles<rondo_compiled_model_t> compiled{rondo_compiled_model_free};
    Handles<rondo_infer_request_t> requests{rondo_infer_request_free};
    Handles<rondo_tensor_t> tensors{rondo_tensor_free};
};

using SessionCall = void (*)(CallSession& session);

/// The calls of a kind. Those that others need are there several times.
std::span<const SessionCall> core_calls();
std::span<const SessionCall> model_calls();
std::span<const SessionCall> tensor_calls();
std::span<const SessionCall> request_calls();
std::span<const SessionCall> stream_calls();

/// Asks a list for each of its entries, and for one more, which isn't there.
template <typename List, typename Size, typename At>
void read_list(const List* list, const Size& size, const At& at) {
    const std::size_t count = size(list);
    for (std::size_t i = 0; i <= count; ++i) {
        internal_check((at(list, i) != nullptr) == (i < count), "a list has another size");
    }
}

}  // namespace rondo::test
