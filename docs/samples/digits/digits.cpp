// Classifies handwritten digits with a trained LSTM and compares the accuracy with PyTorch's.
// usage: rondo_digits MODEL SAMPLE_DIR
// MODEL is IR that `rondo compile` wrote (.xml) or an .onnx file; SAMPLE_DIR has the test data.
// Exits with 0 if Rondo classifies as many digits correctly as PyTorch did.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <rondo/rondo.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "npy.hpp"

namespace {

constexpr std::size_t kSide = 8;  // an image is 8 rows (time steps) of 8 pixels
constexpr std::size_t kClasses = 10;

struct TestSet {
    std::vector<float> pixels;         // [n,8,8] in 0..1
    std::vector<std::int64_t> labels;  // [n]
    std::size_t torch_correct = 0;     // how many of the n PyTorch got right
};

TestSet read_test_set(const std::string& folder) {
    auto pixels = read_npy<float>(folder + "/test_pixels.npy");
    auto labels = read_npy<std::int64_t>(folder + "/test_labels.npy");
    const std::size_t n = labels.values.size();
    if (n < 4 || pixels.shape != std::vector<std::size_t>{n, kSide, kSide}) {
        throw std::runtime_error(folder + "/test_pixels.npy: expected [n,8,8], an image a label");
    }
    TestSet set{std::move(pixels.values), std::move(labels.values), 0};
    std::size_t total = 0;
    std::ifstream accuracy(folder + "/pytorch_accuracy.txt");
    if (!(accuracy >> set.torch_correct >> total) || total != n) {
        throw std::runtime_error(folder + "/pytorch_accuracy.txt: expected 'correct total'");
    }
    return set;
}

// The whole test set is one batch; returns the most likely digit of each image.
std::vector<std::int64_t> classify(const std::string& model, std::vector<float>& pixels) {
    const std::size_t n = pixels.size() / (kSide * kSide);
    const rondo::Tensor input(rondo::ElementType::f32, {n, kSide, kSide}, pixels.data());
    rondo::Core core;
    auto compiled = core.compile_model(model, "CPU");
    auto request = compiled.create_infer_request();
    request.set_tensor("pixels", input);
    request.infer();

    const rondo::Tensor logits = request.get_tensor("logits");
    if (logits.shape() != rondo::Shape{n, kClasses}) {
        throw std::runtime_error("logits: expected [n,10]; got " +
                                 rondo::to_string(logits.shape()));
    }
    std::vector<std::int64_t> predicted;
    for (std::size_t i = 0; i < n; ++i) {
        const float* row = logits.data<float>() + i * kClasses;
        predicted.push_back(std::max_element(row, row + kClasses) - row);
    }
    return predicted;
}

// Draws the images side by side, a pixel as two characters, with their digits below.
void show(const TestSet& set, const std::vector<std::int64_t>& predicted,
          const std::vector<std::size_t>& images) {
    const char shades[] = " .:-=+*#%@";
    for (std::size_t row = 0; row < kSide; ++row) {
        for (const std::size_t image : images) {
            for (std::size_t column = 0; column < kSide; ++column) {
                const float grey = set.pixels[(image * kSide + row) * kSide + column];
                const char shade = shades[std::lround(std::clamp(grey, 0.0F, 1.0F) * 9.0F)];
                std::printf("%c%c", shade, shade);
            }
            std::printf("   ");
        }
        std::printf("\n");
    }
    for (const std::size_t image : images) {
        const int read = int(predicted[image]), truth = int(set.labels[image]);
        std::printf("read %d, is %d %-5s ", read, truth, read == truth ? "" : "WRONG");
    }
    std::printf("\n\n");
}

int run(const std::string& model, const std::string& folder) {
    TestSet set = read_test_set(folder);
    const auto predicted = classify(model, set.pixels);
    const std::size_t n = predicted.size();
    std::size_t correct = 0;
    for (std::size_t i = 0; i < n; ++i) correct += predicted[i] == set.labels[i] ? 1 : 0;
    // Three images, and the first mistake after them if there is one.
    const auto wrong =
        std::mismatch(predicted.begin() + 3, predicted.end(), set.labels.begin() + 3);
    const auto fourth = std::size_t(wrong.first - predicted.begin());
    show(set, predicted, {0, 1, 2, fourth < n ? fourth : 3});
    const double percent = 100.0 / double(n);
    const std::size_t torch = set.torch_correct;
    std::printf("Rondo   %zu of %zu right, %.2f %%\n", correct, n, percent * double(correct));
    std::printf("PyTorch %zu of %zu right, %.2f %%\n", torch, n, percent * double(torch));
    if (correct == torch) return 0;
    std::fprintf(stderr, "rondo_digits: the accuracies differ\n");
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("usage: rondo_digits MODEL SAMPLE_DIR");
        return run(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rondo_digits: %s\n", error.what());
        return 1;
    }
}
