// Scores a sound as it arrives, chunk by chunk, carrying the LSTM's state by hand; then scores it
// in one call and shows that every bit is the same. usage: streaming detector.xml
#include <cmath>
#include <cstdio>
#include <cstring>
#include <rondo/rondo.hpp>
#include <vector>

namespace {

constexpr std::size_t kFrame = 16;   // samples a time step
constexpr std::size_t kChunk = 10;   // time steps that arrive together: 10 ms at 16 kHz
constexpr std::size_t kSteps = 100;  // of the whole sound

// A tone that rises from 100 Hz to 1 kHz and swells.
std::vector<float> chirp() {
    std::vector<float> samples(kSteps * kFrame);
    double phase = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double progress = double(i) / double(samples.size());
        phase += 2 * 3.141592653589793 * (100 + 900 * progress) / 16000;
        samples[i] = float(progress * std::sin(phase));
    }
    return samples;
}

// Scores the sound in chunks of so many steps; audio [1,T,16] goes in, score [1,T,1] comes out.
std::vector<float> score(rondo::CompiledModel& model, std::vector<float>& sound,
                         std::size_t chunk) {
    rondo::InferRequest request = model.create_infer_request();
    rondo::Tensor h = request.get_tensor("h");  // made by the request, zero: the state at the start
    rondo::Tensor c = request.get_tensor("c");
    std::vector<float> scores;
    for (std::size_t at = 0; at < kSteps; at += chunk) {
        // The request reads the samples where they are.
        request.set_tensor("audio", rondo::Tensor(rondo::ElementType::f32, {1, chunk, kFrame},
                                                  sound.data() + at * kFrame));
        request.infer();
        const rondo::Tensor result = request.get_tensor("score");
        const float* first = result.data<float>();
        scores.insert(scores.end(), first, first + chunk);
        // Copied, not bound: the request overwrites its outputs while it still reads its inputs.
        request.get_tensor("h_out").copy_to(h);
        request.get_tensor("c_out").copy_to(c);
    }
    return scores;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw rondo::ModelError("usage: streaming MODEL");
    rondo::CompiledModel model = rondo::Core().compile_model(argv[1], "CPU");
    std::vector<float> sound = chirp();
    const std::vector<float> streamed = score(model, sound, kChunk);
    const std::vector<float> whole = score(model, sound, kSteps);
    for (std::size_t i = 0; i < kSteps; i += kChunk) {
        std::printf("%5.1f ms  %.6f\n", double(i * kFrame) / 16.0, double(streamed[i]));
    }
    const bool same = std::memcmp(streamed.data(), whole.data(), kSteps * sizeof(float)) == 0;
    std::printf("in chunks and in one call: %s\n", same ? "the same bits" : "DIFFERENT");
    return same ? 0 : 1;
} catch (const rondo::Error& error) {
    std::fprintf(stderr, "streaming: %s\n", error.what());
    return 1;
}
