// How many instances of a label run in real time on one thread: ladspa_load LABEL RATE INSTANCES
// [BLOCK]. It passes two seconds of noise through all of them, block by block in turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "tests/unit/bindings/ladspa/host.hpp"

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) {
        std::fprintf(stderr, "usage: ladspa_load LABEL RATE INSTANCES [BLOCK]\n");
        return 1;
    }
    constexpr std::size_t kDefaultBlock = 480;
    const std::size_t rate = std::stoul(argv[2]), count = std::stoul(argv[3]),
                      block = argc == 5 ? std::stoul(argv[4]) : kDefaultBlock;
    std::vector<std::unique_ptr<rondo::test::Hosted>> instances;
    for (std::size_t i = 0; i < count; ++i) {
        instances.push_back(rondo::test::make_hosted(argv[1], rate));
        if (instances.back() == nullptr) return 1;
    }
    std::vector<float> samples = rondo::test::noise(2 * rate / block * block), out(block);
    std::vector<double> shares;  // of a block's time that all instances take for it
    for (std::size_t at = 0; at < samples.size(); at += block) {
        const auto start = std::chrono::steady_clock::now();
        for (auto& instance : instances) instance->run_block(&samples[at], out.data(), block);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        shares.push_back(time.count() * double(rate) / double(block));
    }
    double sum = 0;
    for (const double share : shares) sum += share;
    std::sort(shares.begin(), shares.end());
    const double mean = sum / double(shares.size());
    std::printf(
        "%zu instances of %s in blocks of %zu: %.1f %% of real time (p99 of a block %.1f %%); "
        "one core holds %.0f\n",
        count, argv[1], block, 100 * mean, 100 * shares[shares.size() * 99 / 100],
        double(count) / mean);
    return 0;
}
