// Finds speech in a sound file with Silero VAD: a table, a picture, and then the same sound as many
// streams at once. usage: vad SOUND.wav PICTURE.svg [STREAMS [live]]; docs/samples/vad/README.md
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <rondo/rondo.hpp>
#include <string>
#include <thread>
#include <vector>

#include "picture.hpp"
#include "wav.hpp"

namespace {

constexpr std::size_t kRate = 16000;
constexpr std::size_t kChunk = 512;  // samples that arrive together: 32 ms
constexpr std::size_t kPast = 64;    // samples of the chunk before that the model sees again
constexpr double kChunkSeconds = double(kChunk) / kRate;

// input [N,576] and sr -> output [N,1]; the LSTM's state [2,N,128] is a variable.
rondo::Model read_vad(const rondo::Core& core) {
    const char* models = std::getenv("RONDO_MODELS");
    const std::string folder = models != nullptr ? models : "../shared/models";
    rondo::Model model = core.read_model(folder + "/silero_vad_v6/model.onnx");
    model.make_stateful({{"state", "stateN"}});
    return model;
}

// The model's input for each chunk: the end of the chunk before, and the chunk; [1,576].
std::vector<rondo::Tensor> cut(const std::vector<float>& samples) {
    std::vector<rondo::Tensor> chunks;
    for (std::size_t at = 0; at + kChunk <= samples.size(); at += kChunk) {
        rondo::Tensor chunk(rondo::ElementType::f32, {1, kPast + kChunk});  // zeros
        const std::size_t past = at == 0 ? 0 : kPast;
        std::copy_n(&samples[at - past], past + kChunk, chunk.data<float>() + kPast - past);
        chunks.push_back(chunk);
    }
    return chunks;
}

// The probability of speech in each chunk.
std::vector<float> detect(rondo::CompiledModel& vad, const std::vector<rondo::Tensor>& chunks,
                          const rondo::Tensor& rate) {
    rondo::InferRequest request = vad.create_infer_request();
    request.set_tensor("sr", rate);
    std::vector<float> probabilities;
    for (const rondo::Tensor& chunk : chunks) {
        request.set_tensor("input", chunk);
        request.infer();  // the request keeps the state for the next chunk
        probabilities.push_back(*request.get_tensor("output").data<float>());
    }
    return probabilities;
}

// A segment begins at a probability of 0.5, and ends where it stays below 0.35 for 160 ms.
std::vector<Segment> find_segments(const std::vector<float>& probabilities) {
    constexpr std::size_t kQuiet = 5;  // chunks
    std::vector<Segment> segments;
    std::size_t quiet = kQuiet;  // chunks since the last one with speech
    for (std::size_t chunk = 0; chunk < probabilities.size(); ++chunk) {
        const bool speaks = quiet < kQuiet;
        if (probabilities[chunk] < (speaks ? 0.35F : 0.5F)) {
            quiet += speaks ? 1 : 0;
            continue;
        }
        if (!speaks) segments.push_back({double(chunk) * kChunkSeconds, 0});
        segments.back().end = double(chunk + 1) * kChunkSeconds;
        quiet = 0;
    }
    return segments;
}

void print_table(const std::vector<Segment>& segments, const std::vector<float>& probabilities) {
    std::printf("   begin      end   length   highest probability\n");
    for (const Segment& segment : segments) {
        const auto at = [&](double seconds) {
            return probabilities.begin() + std::ptrdiff_t(seconds / kChunkSeconds + 0.5);
        };
        const float highest = *std::max_element(at(segment.begin), at(segment.end));
        std::printf("%6.2f s %6.2f s %6.2f s   %.3f\n", segment.begin, segment.end,
                    segment.end - segment.begin, double(highest));
    }
}

struct Run {
    std::size_t streams;
    bool live;  // chunks come as from microphones: one every 32 ms, those of all streams spread
};

// Each stream begins in one of the first rounds, so that a batch holds different chunks.
constexpr std::size_t kBegins = 50;

std::size_t rounds_of(const std::vector<rondo::Tensor>& chunks) { return kBegins + chunks.size(); }

// Plays the sound on many streams, a chunk of each a round. Returns how many probabilities differ
// from those of the sound alone.
std::size_t play(rondo::StreamPool& pool, const std::vector<rondo::Tensor>& chunks,
                 const rondo::Tensor& rate, const std::vector<float>& alone, const Run& run) {
    std::vector<rondo::Stream> streams(run.streams);
    for (rondo::Stream& stream : streams) stream = pool.open();
    const auto chunk_of = [&](std::size_t round, std::size_t stream) -> std::optional<std::size_t> {
        const std::size_t begin = stream * 7 % kBegins;  // the round in which the stream begins
        if (round < begin || round - begin >= chunks.size()) return std::nullopt;
        return round - begin;
    };
    std::size_t different = 0;
    std::vector<rondo::StreamStep> steps(run.streams);  // of the round before
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round <= rounds_of(chunks); ++round) {
        for (std::size_t i = 0; i < run.streams; ++i) {
            if (run.live) {
                const double due = double(round) + double(i) / double(run.streams);
                std::this_thread::sleep_until(
                    start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                std::chrono::duration<double>(due * kChunkSeconds)));
            }
            const rondo::StreamStep before = steps[i];
            const auto chunk = chunk_of(round, i);
            steps[i] = chunk ? streams[i].push({chunks[*chunk], rate}) : rondo::StreamStep();
            if (!before) continue;
            const float probability = *before.get_tensor("output").data<float>();  // waits
            const std::size_t its_chunk = *chunk_of(round - 1, i);
            if (std::memcmp(&probability, &alone[its_chunk], sizeof(float)) != 0) ++different;
        }
    }
    return different;
}

void print_stats(const rondo::StreamPoolStats& stats, double seconds, bool live) {
    const auto milliseconds = [](auto time) {
        return std::chrono::duration<double, std::milli>(time).count();
    };
    const double rate = double(stats.steps) / seconds;
    std::printf("%llu chunks in %.2f s: %.0f a second",
                static_cast<unsigned long long>(stats.steps), seconds, rate);
    if (!live) std::printf(", as of %.0f live streams", rate * kChunkSeconds);
    std::printf(
        "\nbatches: %llu, of %.1f chunks on average; threads ran inferences %.0f %% of the time\n",
        static_cast<unsigned long long>(stats.batches), double(stats.steps) / double(stats.batches),
        stats.occupancy * 100);
    if (!stats.why_not_batched.empty()) {
        std::printf("one chunk at a time: %s\n", stats.why_not_batched.c_str());
    }
    if (!live) return;  // else a chunk waits for those of all streams before it
    std::printf("latency: p50 %.2f ms, p99 %.2f ms, max %.2f ms\n", milliseconds(stats.latency_p50),
                milliseconds(stats.latency_p99), milliseconds(stats.latency_max));
}

// True if every stream gave the bits of the sound alone.
bool run_streams(const rondo::Core& core, const std::vector<rondo::Tensor>& chunks,
                 const rondo::Tensor& rate, const std::vector<float>& alone, const Run& run) {
    rondo::CompiledModel vad =
        core.compile_model(read_vad(core), "CPU", {{"PERFORMANCE_HINT", "THROUGHPUT"}});
    rondo::StreamPool pool = vad.create_stream_pool();
    pool.warm_up({chunks[0], rate});
    const double live_seconds = double(rounds_of(chunks)) * kChunkSeconds;
    std::printf("\n%zu streams, %s (live: %.2f s)\n", run.streams,
                run.live ? "live" : "as fast as possible", live_seconds);
    const auto start = std::chrono::steady_clock::now();
    const std::size_t different = play(pool, chunks, rate, alone, run);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    print_stats(pool.stats(), seconds.count(), run.live);
    std::printf("probabilities that differ from those of the sound alone: %zu\n", different);
    return different == 0;
}

}  // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2 || words.size() > 4 || (words.size() == 4 && words[3] != "live") ||
        (words.size() > 2 && std::atoi(words[2].c_str()) < 1)) {
        throw std::runtime_error("usage: vad SOUND.wav PICTURE.svg [STREAMS [live]]");
    }
    const Sound sound = read_wav(words[0]);
    if (sound.rate != kRate)
        throw std::runtime_error(words[0] + ": expected 16000 samples a second");

    const rondo::Core core;
    rondo::CompiledModel vad = core.compile_model(read_vad(core));
    const std::vector<rondo::Tensor> chunks = cut(sound.samples);
    if (chunks.empty()) throw std::runtime_error(words[0] + ": shorter than a chunk of 32 ms");
    rondo::Tensor rate(rondo::ElementType::i64, {});
    *rate.data<std::int64_t>() = kRate;
    const std::vector<float> probabilities = detect(vad, chunks, rate);
    const std::vector<Segment> segments = find_segments(probabilities);
    print_table(segments, probabilities);
    draw(words[1], sound.samples, probabilities, segments, kChunkSeconds);
    if (words.size() == 2) return 0;

    const Run run{std::stoul(words[2]), words.size() == 4};
    return run_streams(core, chunks, rate, probabilities, run) ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "vad: %s\n", error.what());
    return 1;
}
