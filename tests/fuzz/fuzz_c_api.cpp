// Fuzz target: the input is a list of calls of the C API, with handles, numbers and texts that fit
// or don't.
#include <rondo/rondo.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/support/check.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test {
namespace {

constexpr std::size_t kMostCalls = 64;
constexpr const char* kModel = RONDO_SOURCE_DIR "/docs/examples/streaming/detector.xml";
constexpr const char* kStateful = RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml";
constexpr std::array kTexts = {
    "audio",      "h",    "c",    "score",   "h_out",        "c_out",  "CPU",   "REFERENCE",
    "PERF_COUNT", "YES",  "f32",  "u8",      "1,5,16",       "1,?,16", "[...]", "",
    "PERF_TRACE", "auto", kModel, kStateful, "no_such_file", "AUDIO",  "X",     "2..4,1"};

// Gives numbers out of the input; zeros behind its end.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    bool empty() const { return left_ == 0; }
    std::size_t byte() {
        if (left_ == 0) return 0;
        --left_;
        return *data_++;
    }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : byte() % count; }
    /// Mostly small, sometimes huge.
    std::uint64_t number() {
        const std::size_t first = byte();
        if (first < 224) return first % 20;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < first % 9; ++i) value = value << 8 | byte();
        return value;
    }
    const char* text() {
        const std::size_t at = below(kTexts.size() + 1);
        return at == kTexts.size() ? nullptr : kTexts[at];
    }
    std::vector<std::size_t> shape() {
        std::vector<std::size_t> extents(below(5));
        for (auto& extent : extents) extent = static_cast<std::size_t>(number());
        return extents;
    }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

// A failing call says why, and none reports a bug.
rondo_status_t checked(rondo_status_t status) {
    internal_check(status != RONDO_INTERNAL_ERROR, rondo_last_error_message());
    internal_check(status >= RONDO_OK && status <= RONDO_QUEUE_FULL, "no status");
    internal_check(status == RONDO_OK || *rondo_last_error_message() != '\0', "no message");
    return status;
}

// Handles of a kind, freed at the end. One of them may be asked for, or NULL.
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
    T* any(Bytes& bytes) const {
        const std::size_t at = bytes.below(all_.size() + 1);
        return at == all_.size() ? nullptr : all_[at];
    }
    T* newest() const { return all_.empty() ? nullptr : all_.back(); }

private:
    void (*free_)(T*);
    std::vector<T*> all_;
};

void read_ports(const rondo_port_list_t* ports) {
    for (std::size_t i = 0; i <= rondo_port_list_size(ports); ++i) rondo_port_list_at(ports, i);
}

class Session {
public:
    explicit Session(Bytes bytes) : bytes_(bytes) {
        cores_.take(rondo_core_create);
        read_model();
    }

    void run() {
        using Call = void (Session::*)();
        constexpr std::array<Call, 24> kCalls = {
            &Session::read_model,   &Session::compile,      &Session::compile,
            &Session::make_request, &Session::make_request, &Session::make_tensor,
            &Session::make_tensor,  &Session::make_tensor,  &Session::set_tensor,
            &Session::set_tensor,   &Session::set_input,    &Session::set_input,
            &Session::set_output,   &Session::infer,        &Session::infer,
            &Session::get_tensor,   &Session::use_tensor,   &Session::reshape,
            &Session::change_model, &Session::ask_model,    &Session::ask_compiled,
            &Session::set_property, &Session::use_states,   &Session::use_stream};
        for (std::size_t i = 0; i < kMostCalls && !bytes_.empty(); ++i) {
            (this->*kCalls[bytes_.below(kCalls.size())])();
        }
    }

private:
    void read_model() {
        const char* path = bytes_.below(4) != 0 ? kModel : bytes_.text();
        const char* weights = bytes_.below(4) != 0 ? nullptr : bytes_.text();
        models_.take([&](rondo_model_t** model) {
            return rondo_core_read_model(cores_.newest(), path, weights, model);
        });
    }
    void compile() {
        const rondo_property_t property = {bytes_.text(), bytes_.text()};
        const std::size_t count = bytes_.below(8) == 0 ? 1 : 0;
        const char* device = bytes_.below(8) == 0 ? bytes_.text() : "CPU";
        compiled_.take([&](rondo_compiled_model_t** compiled) {
            return rondo_core_compile_model(cores_.newest(), models_.any(bytes_), device, &property,
                                            count, compiled);
        });
    }
    void make_request() {
        requests_.take([&](rondo_infer_request_t** request) {
            return rondo_compiled_model_create_infer_request(compiled_.any(bytes_), request);
        });
    }
    void make_tensor() {
        const auto shape = bytes_.below(4) != 0 ? std::vector<std::size_t>{1, bytes_.below(7), 16}
                                                : bytes_.shape();
        const auto type = bytes_.below(4) != 0
                              ? RONDO_F32
                              : static_cast<rondo_element_type_t>(bytes_.number() & 0x7fffffff);
        tensors_.take([&](rondo_tensor_t** tensor) {
            return rondo_tensor_create(type, shape.data(), shape.size(), tensor);
        });
    }
    void set_tensor() {
        checked(rondo_infer_request_set_tensor(requests_.any(bytes_), bytes_.text(),
                                               tensors_.any(bytes_)));
    }
    void set_input() {
        checked(rondo_infer_request_set_input_tensor(requests_.any(bytes_),
                                                     static_cast<std::size_t>(bytes_.number()),
                                                     tensors_.any(bytes_)));
    }
    void set_output() {
        checked(rondo_infer_request_set_output_tensor(requests_.any(bytes_),
                                                      static_cast<std::size_t>(bytes_.number()),
                                                      tensors_.any(bytes_)));
    }
    void infer() {
        rondo_infer_request_t* request = requests_.any(bytes_);
        if (bytes_.below(4) != 0) {
            checked(rondo_infer_request_infer(request));
            return;
        }
        int done = 0;
        checked(rondo_infer_request_start_async(request));
        if (bytes_.below(2) == 0) checked(rondo_infer_request_cancel(request));
        checked(rondo_infer_request_wait_for(request, static_cast<std::int64_t>(bytes_.below(3)),
                                             &done));
        checked(rondo_infer_request_wait(request));
    }
    void get_tensor() {
        rondo_infer_request_t* request = requests_.any(bytes_);
        const auto index = static_cast<std::size_t>(bytes_.number());
        const char* name = bytes_.text();
        tensors_.take([&](rondo_tensor_t** tensor) {
            switch (bytes_.below(3)) {
                case 0: return rondo_infer_request_get_tensor(request, name, tensor);
                case 1: return rondo_infer_request_get_input_tensor(request, index, tensor);
                default: return rondo_infer_request_get_output_tensor(request, index, tensor);
            }
        });
    }
    void use_tensor() {
        rondo_tensor_t* tensor = tensors_.any(bytes_);
        const auto shape = bytes_.shape();
        tensors_.take([&](rondo_tensor_t** made) {
            return rondo_tensor_reshaped(tensor, shape.data(), shape.size(), made);
        });
        checked(rondo_tensor_copy_to(tensor, tensors_.any(bytes_)));
        void* data = nullptr;
        std::size_t size = 0;
        checked(rondo_tensor_byte_size(tensor, &size));
        const bool has_data = checked(rondo_tensor_data(tensor, &data)) == RONDO_OK;
        if (has_data && size > 0 && size < 65536) std::memset(data, 1, size);
    }
    void reshape() {
        const rondo_input_shape_t shape = {bytes_.text(), bytes_.text()};
        checked(rondo_model_reshape(models_.any(bytes_), &shape, bytes_.below(2)));
    }
    void change_model() {
        rondo_model_t* model = models_.any(bytes_);
        const rondo_state_pair_t pair = {bytes_.text(), bytes_.text()};
        switch (bytes_.below(4)) {
            case 0: checked(rondo_model_make_stateful(model, &pair, bytes_.below(2))); return;
            case 1: checked(rondo_model_apply_low_latency(model, 1)); return;
            case 2: checked(rondo_core_transform(cores_.newest(), model, nullptr)); return;
            default:
                models_.take([&](rondo_model_t** copy) { return rondo_model_clone(model, copy); });
        }
    }
    void ask_model() {
        const rondo_model_t* model = models_.any(bytes_);
        rondo_port_list_t* ports = nullptr;
        checked(rondo_model_outputs(model, &ports));
        read_ports(ports);
        rondo_port_list_free(ports);
        rondo_node_list_t* nodes = nullptr;
        checked(rondo_model_nodes(model, &nodes));
        rondo_node_list_at(nodes, static_cast<std::size_t>(bytes_.number()));
        rondo_node_list_free(nodes);
        std::size_t index = 0;
        checked(rondo_model_find_input(model, bytes_.text(), &index));
        char* text = nullptr;
        checked(rondo_model_to_text(model, &text));
        rondo_string_free(text);
    }
    void ask_compiled() {
        const rondo_compiled_model_t* compiled = compiled_.any(bytes_);
        rondo_kernel_list_t* kernels = nullptr;
        checked(rondo_compiled_model_kernels(compiled, &kernels));
        rondo_kernel_list_at(kernels, static_cast<std::size_t>(bytes_.number()));
        rondo_kernel_list_free(kernels);
        char* value = nullptr;
        checked(rondo_compiled_model_get_property(compiled, bytes_.text(), &value));
        rondo_string_free(value);
        models_.take([&](rondo_model_t** model) {
            return rondo_compiled_model_runtime_model(compiled, model);
        });
    }
    void set_property() {
        const rondo_property_t property = {bytes_.text(), bytes_.text()};
        checked(
            rondo_core_set_property(cores_.newest(), bytes_.text(), &property, bytes_.below(2)));
    }
    void use_states() {
        rondo_variable_state_list_t* states = nullptr;
        checked(rondo_infer_request_query_state(requests_.any(bytes_), &states));
        rondo_variable_state_t* state =
            rondo_variable_state_list_at(states, static_cast<std::size_t>(bytes_.number()));
        checked(rondo_variable_state_set_state(state, tensors_.any(bytes_)));
        tensors_.take(
            [&](rondo_tensor_t** value) { return rondo_variable_state_get_state(state, value); });
        rondo_variable_state_list_free(states);
    }
    void use_stream() {
        rondo_stream_pool_t* pool = nullptr;
        rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
        options.struct_size = bytes_.below(4) != 0 ? options.struct_size : bytes_.below(100);
        options.max_batch = static_cast<std::size_t>(bytes_.number());
        options.threads = bytes_.below(3);
        options.overflow = static_cast<rondo_overflow_t>(bytes_.below(4));
        checked(rondo_compiled_model_create_stream_pool(compiled_.any(bytes_), &options, &pool));
        rondo_stream_t* stream = nullptr;
        checked(rondo_stream_pool_open(pool, nullptr, &stream));
        const std::array<const rondo_tensor_t*, 3> inputs = {
            tensors_.any(bytes_), tensors_.any(bytes_), tensors_.any(bytes_)};
        rondo_stream_step_t* step = nullptr;
        checked(rondo_stream_push(stream, inputs.data(), bytes_.below(4), &step));
        checked(rondo_stream_step_wait(step));
        tensors_.take([&](rondo_tensor_t** output) {
            return rondo_stream_step_get_output_tensor(step, bytes_.below(4), output);
        });
        rondo_stream_step_free(step);
        rondo_stream_free(stream);
        rondo_stream_pool_free(pool);
    }

    Bytes bytes_;
    Handles<rondo_core_t> cores_{rondo_core_free};
    Handles<rondo_model_t> models_{rondo_model_free};
    Handles<rondo_compiled_model_t> compiled_{rondo_compiled_model_free};
    Handles<rondo_infer_request_t> requests_{rondo_infer_request_free};
    Handles<rondo_tensor_t> tensors_{rondo_tensor_free};
};

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    Session({data, size}).run();
    return 0;
}
