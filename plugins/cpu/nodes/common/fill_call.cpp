#include "plugins/cpu/nodes/common/fill_call.hpp"

#include <cstring>

namespace rondo::cpu {
namespace {

class ZeroCall final : public Call {
public:
    explicit ZeroCall(std::size_t bytes) : bytes_(bytes) {}
    void run(const RunArgs& args) const override {
        if (bytes_ > 0) std::memset(args.outputs[0], 0, bytes_);
    }

private:
    std::size_t bytes_;
};

class ValueCall final : public Call {
public:
    explicit ValueCall(Tensor value) : value_(std::move(value)) {}
    void run(const RunArgs& args) const override {
        if (value_.size() > 0) std::memcpy(args.outputs[0], value_.data(), value_.byte_size());
    }

private:
    Tensor value_;
};

}  // namespace

std::unique_ptr<Call> make_zero_call(const TensorInfo& output) {
    return std::make_unique<ZeroCall>(element_count(output.shape) * size_of(output.type));
}

std::unique_ptr<Call> make_value_call(const Tensor& value) {
    return std::make_unique<ValueCall>(value.contiguous());
}

}  // namespace rondo::cpu
