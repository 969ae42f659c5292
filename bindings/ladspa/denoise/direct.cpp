// A network that takes samples and gives as many, hop by hop.
#include <algorithm>

#include <rondo/error.hpp>

#include "bindings/ladspa/denoise/denoiser.hpp"

namespace rondo::denoise {
namespace {

class Direct : public Denoiser {
public:
    Direct(const NetworkFile& file, std::size_t hop)
        : network_(file, {}, hop),
          hop_(element_count(network_.only_input())),
          input_(network_.input(hop == 0 ? hop_ : hop)),
          output_(network_.output(hop_)) {}

    std::size_t hop() const override { return hop_; }
    std::size_t delay() const override { return 0; }

    void push(const float* noisy, float* clean) override {
        std::copy(noisy, noisy + hop_, input_);
        network_.infer();
        std::copy(output_, output_ + hop_, clean);
    }

    void reset() override { network_.reset(); }

private:
    Network network_;
    std::size_t hop_;
    float* input_;
    const float* output_;
};

void require_hop(const NetworkFile& file, std::size_t hop) {
    for (const PortInfo& input : file.model.inputs()) {
        if (input.shape.is_static() && element_count(input.shape.to_shape()) == 0) {
            throw ModelError(file.path + ": input '" + input.any_name() + "' takes no samples");
        }
        if (hop != 0 || input.shape.is_static()) continue;
        throw ModelError(file.path + ": input '" + input.any_name() + "' has shape " +
                         to_string(input.shape) + ": give the number of samples, hop=N");
    }
}

}  // namespace

std::unique_ptr<Denoiser> make_direct(const Networks& networks, std::size_t hop) {
    require_hop(networks.at(0), hop);
    return std::make_unique<Direct>(networks.at(0), hop);
}

}  // namespace rondo::denoise
