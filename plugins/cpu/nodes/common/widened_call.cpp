#include "plugins/cpu/nodes/common/widened_call.hpp"

#include <algorithm>
#include <array>

#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 16;  // elements that are worth a thread
constexpr std::size_t kMaxTensors = 8;    // of an op that is run this way

class WidenedCall final : public Call {
public:
    WidenedCall(const CallSite& site, Isa isa, MakeCall make) {
        internal_check(site.inputs.size() <= kMaxTensors && site.outputs.size() <= kMaxTensors,
                       "an op with that many tensors is not widened");
        const auto inputs = widen(site.inputs, isa, inputs_);
        const auto outputs = widen(site.outputs, isa, outputs_);
        call_ = make({inputs, outputs, site.threads});
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            internal_check(!call_->view(i), "a widened call has a view");
        }
    }

    std::size_t scratch_bytes() const override { return bytes_ + call_->scratch_bytes(); }
    std::string detail() const override {
        const std::string inner = call_->detail();
        return inner.empty() ? "widened to f32" : inner + ", widened to f32";
    }

    void run(const RunArgs& args) const override {
        std::array<const void*, kMaxTensors> inputs{};
        std::array<void*, kMaxTensors> outputs{};
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Tensor16& tensor = inputs_[i];
            inputs[i] = args.inputs[i];
            if (!tensor.is_widened()) continue;
            void* wide = wide_form(args.scratch, tensor);
            inputs[i] = wide;
            convert(tensor, args.team, [&](std::int64_t first, std::int64_t count) {
                tensor.rows.load(tensor.rows.at(args.inputs[i], first),
                                 static_cast<float*>(wide) + first, count);
            });
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const Tensor16& tensor = outputs_[i];
            outputs[i] = tensor.is_widened() ? wide_form(args.scratch, tensor) : args.outputs[i];
        }
        call_->run({{inputs.data(), inputs_.size()},
                    {outputs.data(), outputs_.size()},
                    static_cast<char*>(args.scratch) + bytes_,
                    args.team,
                    args.cancelled});
        for (std::size_t i = 0; i < outputs_.size(); ++i) narrow(i, outputs[i], args);
    }

private:
    struct Tensor16 {
        RowConverter rows;
        std::int64_t count = 0;
        std::size_t offset = 0;  // of its widened form in scratch

        bool is_widened() const { return rows.converts(); }
    };

    // The tensors as the inner call sees them; fills `kept` with how to convert them.
    std::vector<TensorInfo> widen(std::span<const TensorInfo> tensors, Isa isa,
                                  std::vector<Tensor16>& kept) {
        std::vector<TensorInfo> wide;
        for (const TensorInfo& tensor : tensors) {
            wide.push_back(tensor);
            const bool converts = is_half(tensor.type);
            kept.push_back({RowConverter(isa, converts ? tensor.type : ElementType::f32),
                            count_of(tensor.shape), bytes_});
            if (!converts) continue;
            wide.back().type = ElementType::f32;
            wide.back().value = Tensor();
            bytes_ += whole_lines(static_cast<std::size_t>(kept.back().count) * sizeof(float));
        }
        return wide;
    }

    static void* wide_form(void* scratch, const Tensor16& tensor) {
        return static_cast<char*>(scratch) + tensor.offset;
    }

    template <typename Convert>
    static void convert(const Tensor16& tensor, Team& team, Convert&& convert_some) {
        share(team, tensor.count, kGrain,
              [&](std::int64_t begin, std::int64_t end) { convert_some(begin, end - begin); });
    }

    void narrow(std::size_t output, const void* wide, const RunArgs& args) const {
        const Tensor16& tensor = outputs_[output];
        if (!tensor.is_widened() || args.outputs[output] == nullptr) return;
        convert(tensor, args.team, [&](std::int64_t first, std::int64_t count) {
            tensor.rows.store(static_cast<const float*>(wide) + first,
                              tensor.rows.at(args.outputs[output], first), count);
        });
    }

    std::vector<Tensor16> inputs_;
    std::vector<Tensor16> outputs_;
    std::size_t bytes_ = 0;  // of all widened tensors
    std::unique_ptr<Call> call_;
};

}  // namespace

std::unique_ptr<Call> make_widened_call(const CallSite& site, Isa isa, MakeCall make) {
    if (!is_half(site.inputs[0].type)) return make(site);
    return std::make_unique<WidenedCall>(site, isa, make);
}

Tensor rounded_to_bf16(const Tensor& weights) {
    constexpr std::int64_t kAtOnce = 256;
    Tensor result(ElementType::bf16, weights.shape());
    const RowConverter rows(Isa::plain, weights.element_type());
    const auto count = static_cast<std::int64_t>(weights.size());
    float widened[kAtOnce];
    for (std::int64_t first = 0; first < count; first += kAtOnce) {
        const std::int64_t some = std::min(kAtOnce, count - first);
        rows.load(rows.at(weights.data(), first), widened, some);
        round_to_bf16(Isa::plain, 1, widened, some, result.data<bfloat16>() + first);
    }
    return result;
}

}  // namespace rondo::cpu
