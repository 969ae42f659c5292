#include "plugins/cpu/nodes/common/copy_call.hpp"

#include <cstring>

namespace rondo::cpu {
namespace {

const char* at(const void* base, std::int64_t offset) {
    return static_cast<const char*>(base) + offset;
}

char* at(void* base, std::int64_t offset) { return static_cast<char*>(base) + offset; }

class CopyCall final : public Call {
public:
    explicit CopyCall(const std::vector<CopyPart>& parts) {
        for (const auto& part : parts) {
            parts_.push_back({part.input, part.output, part.from_offset, part.to_offset,
                              StridedCopy(part.layout)});
        }
    }

    void run(const RunArgs& args) const override {
        for (const auto& part : parts_) {
            part.copy.run(at(args.inputs[part.input], part.from_offset),
                          at(args.outputs[part.output], part.to_offset), args.team);
        }
    }

private:
    struct Part {
        std::size_t input;
        std::size_t output;
        std::int64_t from_offset;
        std::int64_t to_offset;
        StridedCopy copy;
    };
    std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Call> make_copy_call(const std::vector<CopyPart>& parts) {
    return std::make_unique<CopyCall>(parts);
}

std::unique_ptr<Call> make_view_or_copy(const CopyPart& part) {
    if (StridedCopy(part.layout).is_plain()) {
        return std::make_unique<ViewCall>(
            std::vector<View>{{part.input, static_cast<std::size_t>(part.from_offset)}});
    }
    return make_copy_call({part});
}

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
