#include "tests/unit/bindings/ladspa/host.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace rondo::test {
namespace {

using Find = const ladspa::Descriptor* (*)(unsigned long);

Find descriptors() {
    static const auto find = [] {
        void* library = ::dlopen(RONDO_LADSPA_PLUGIN, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) throw std::runtime_error(::dlerror());
        return reinterpret_cast<Find>(::dlsym(library, "ladspa_descriptor"));
    }();
    return find;
}

}  // namespace

Hosted::Hosted(const ladspa::Descriptor& descriptor, void* instance)
    : descriptor_(descriptor), instance_(instance, descriptor.cleanup) {
    descriptor_.connect_port(instance, 2, &limit_);
    descriptor_.connect_port(instance, 3, &latency_);
    activate();
}

void Hosted::run_block(float* in, float* out, std::size_t count) {
    descriptor_.connect_port(instance_.get(), 0, in);
    descriptor_.connect_port(instance_.get(), 1, out);
    descriptor_.run(instance_.get(), count);
}

std::vector<float> Hosted::run(const std::vector<float>& samples,
                               const std::vector<std::size_t>& blocks) {
    std::vector<float> in = samples, out(samples.size());
    for (std::size_t at = 0, block = 0; at < in.size(); ++block) {
        const std::size_t count = std::min(blocks[block % blocks.size()], in.size() - at);
        run_block(&in[at], &out[at], count);
        at += count;
    }
    return out;
}

std::vector<float> Hosted::run_in_place(std::vector<float> samples, std::size_t block) {
    for (std::size_t at = 0; at < samples.size(); at += block) {
        const std::size_t count = std::min(block, samples.size() - at);
        run_block(&samples[at], &samples[at], count);
    }
    return samples;
}

const ladspa::Descriptor& find_plugin(const std::string& label) {
    for (unsigned long i = 0; const ladspa::Descriptor* one = descriptors()(i); ++i) {
        if (label == one->label) return *one;
    }
    throw std::runtime_error("no plugin '" + label + "'");
}

std::unique_ptr<Hosted> make_hosted(const std::string& label, unsigned long rate) {
    const ladspa::Descriptor& descriptor = find_plugin(label);
    void* instance = descriptor.instantiate(&descriptor, rate);
    return instance == nullptr ? nullptr : std::make_unique<Hosted>(descriptor, instance);
}

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 bits(seed);
    std::vector<float> samples(count);
    for (float& sample : samples) sample = float(bits()) / float(1U << 31) - 1;
    return samples;
}

}  // namespace rondo::test
