// A LADSPA host: it loads the plugin library, and runs instances block by block.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bindings/ladspa/ladspa.hpp"

namespace rondo::test {

/// An instance of a plugin, with its ports connected to memory of its own.
class Hosted {
public:
    Hosted(const ladspa::Descriptor& descriptor, void* instance);

    /// Runs blocks of these sizes, over and over, until all samples went through.
    std::vector<float> run(const std::vector<float>& samples,
                           const std::vector<std::size_t>& blocks);
    /// The same in one memory for input and output.
    std::vector<float> run_in_place(std::vector<float> samples, std::size_t block);
    /// One block, without any memory but the caller's.
    void run_block(float* in, float* out, std::size_t count);
    void activate() { descriptor_.activate(instance_.get()); }
    void set_limit(float decibels) { limit_ = decibels; }
    float latency() const { return latency_; }

private:
    const ladspa::Descriptor& descriptor_;
    std::unique_ptr<void, void (*)(void*)> instance_;
    float limit_ = 100;
    float latency_ = -1;
};

/// The descriptor with that label; the library stays loaded.
const ladspa::Descriptor& find_plugin(const std::string& label);
/// An active instance, or null if the plugin refuses the rate or its environment.
std::unique_ptr<Hosted> make_hosted(const std::string& label, unsigned long rate);

/// Noise from -1 to 1.
std::vector<float> noise(std::size_t count, unsigned seed = 1);

}  // namespace rondo::test
