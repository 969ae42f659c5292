// The LADSPA plugin: one descriptor a kind of denoiser, and what a host calls on its instances.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "bindings/ladspa/kinds.hpp"
#include "bindings/ladspa/ladspa.hpp"

namespace rondo::ladspa {
namespace {

enum Port : unsigned long { kNoisy, kClean, kLimit, kLatency, kPortCount };

constexpr int kPorts[kPortCount] = {kInputPort | kAudioPort, kOutputPort | kAudioPort,
                                    kInputPort | kControlPort, kOutputPort | kControlPort};
// By the name "latency" hosts find by how many samples the output comes late.
constexpr const char* kPortNames[kPortCount] = {"Input", "Output", "Attenuation limit (dB)",
                                                "latency"};
constexpr float kNoLimit = 100;  // dB
constexpr PortRange kPortRanges[kPortCount] = {
    {0, 0, 0},
    {0, 0, 0},
    {kBoundedBelow | kBoundedAbove | kDefaultIsMaximum, 0, kNoLimit},
    {kBoundedBelow | kIsInteger, 0, 0}};

// Hosts say no more than that an instance can't be made, and Rondo's log is silent by default.
void report(const char* label, const char* problem) {
    std::fprintf(stderr, "ladspa_rondo: %s: %s\n", label, problem);
}

/// Collects a hop of samples, cleans it, and gives it out while the next one is collected.
class Instance {
public:
    Instance(const char* label, Loaded loaded)
        : label_(label),
          loaded_(std::move(loaded)),
          denoiser_(*loaded_.denoiser),
          hop_(denoiser_.hop()),
          noisy_(hop_),
          clean_(hop_),
          past_(hop_ + denoiser_.delay()) {}
    ~Instance() { report_failure(); }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    void connect(unsigned long port, float* memory) {
        if (port < kPortCount) ports_[port] = memory;
    }

    void start() {
        report_failure();
        try {
            denoiser_.reset();
        } catch (const std::exception& error) {
            report(label_, error.what());
        }
        std::fill(noisy_.begin(), noisy_.end(), 0.0F);
        std::fill(clean_.begin(), clean_.end(), 0.0F);
        std::fill(past_.begin(), past_.end(), 0.0F);
        at_ = past_at_ = 0;
    }

    void run(std::size_t count) {
        if (ports_[kLatency] != nullptr) *ports_[kLatency] = float(past_.size());
        const float* in = ports_[kNoisy];
        float* out = ports_[kClean];
        if (in == nullptr || out == nullptr) return;
        const float kept = kept_noise();
        while (count > 0) {
            const std::size_t part = std::min(count, hop_ - at_);
            move(in, out, part, kept);
            in += part;
            out += part;
            count -= part;
            if (at_ == hop_) clean_hop();
        }
    }

private:
    // The part of the noise that stays: all at 0 dB, none at kNoLimit.
    float kept_noise() const {
        const float limit = ports_[kLimit] == nullptr ? kNoLimit : *ports_[kLimit];
        if (!(limit < kNoLimit)) return 0;
        return std::pow(10.0F, -std::max(limit, 0.0F) / 20);
    }

    // The host's memory for input and output may be the same.
    void move(const float* in, float* out, std::size_t count, float kept) {
        for (std::size_t i = 0; i < count; ++i) {
            const float sample = std::isfinite(in[i]) ? in[i] : 0;
            const float dry = past_[past_at_];
            past_[past_at_] = sample;
            past_at_ = past_at_ + 1 == past_.size() ? 0 : past_at_ + 1;
            out[i] = kept == 0 ? clean_[at_] : clean_[at_] + kept * (dry - clean_[at_]);
            noisy_[at_] = sample;
            ++at_;
        }
    }

    // Not in run(), where no call of the system is made.
    void report_failure() {
        if (failure_[0] != '\0') report(label_, failure_.data());
        failure_[0] = '\0';
    }

    void clean_hop() {
        at_ = 0;
        try {
            denoiser_.push(noisy_.data(), clean_.data());
            const auto is_finite = [](float sample) { return std::isfinite(sample); };
            if (std::all_of(clean_.begin(), clean_.end(), is_finite)) return;
            denoiser_.reset();  // what isn't finite would stay in the states for ever
        } catch (const std::exception& error) {
            std::snprintf(failure_.data(), failure_.size(), "%s", error.what());
        }
        std::fill(clean_.begin(), clean_.end(), 0.0F);
    }

    const char* label_;
    Loaded loaded_;
    denoise::Denoiser& denoiser_;
    std::size_t hop_;
    std::vector<float> noisy_;
    std::vector<float> clean_;
    std::size_t at_ = 0;       // in both
    std::vector<float> past_;  // noisy samples, as long as clean ones take
    std::size_t past_at_ = 0;
    std::array<char, 256> failure_{};  // the last one, for report_failure()
    float* ports_[kPortCount] = {};
};

void* instantiate(const Descriptor* descriptor, unsigned long rate) {
    try {
        const auto& kind = *static_cast<const Kind*>(descriptor->data);
        return new Instance(kind.label, load(kind, rate));
    } catch (const std::exception& error) {
        report(descriptor->label, error.what());
        return nullptr;
    }
}

void connect_port(void* instance, unsigned long port, float* memory) {
    static_cast<Instance*>(instance)->connect(port, memory);
}

void activate(void* instance) { static_cast<Instance*>(instance)->start(); }

void run(void* instance, unsigned long samples) { static_cast<Instance*>(instance)->run(samples); }

void cleanup(void* instance) { delete static_cast<Instance*>(instance); }

std::vector<Descriptor> make_descriptors() {
    std::vector<Descriptor> all;
    for (const Kind& kind : kinds()) {
        all.push_back({kind.id, kind.label, 0, kind.name, "Rondo", "Apache License 2.0", kPortCount,
                       kPorts, kPortNames, kPortRanges, &kind, instantiate, connect_port, activate,
                       run, nullptr, nullptr, nullptr, cleanup});
    }
    return all;
}

}  // namespace
}  // namespace rondo::ladspa

extern "C" __attribute__((visibility("default"))) const rondo::ladspa::Descriptor*
ladspa_descriptor(unsigned long index) {
    static const std::vector<rondo::ladspa::Descriptor> all = rondo::ladspa::make_descriptors();
    return index < all.size() ? &all[index] : nullptr;
}
