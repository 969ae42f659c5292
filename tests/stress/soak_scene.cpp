#include "tests/stress/soak_scene.hpp"

#include "tests/faults/fault_models.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test {

SoakModel::SoakModel(std::string path, std::string cache)
    : path_(std::move(path)), cache_(std::move(cache)) {
    CompiledModel alone =
        Core().compile_model(path_, "CPU", {{property::kInferenceNumThreads, "1"}});
    for (const std::int64_t extent : kSoakExtents) {
        SoakSeries series{inputs_of(alone.inputs(), extent), {}};
        InferRequest request = alone.create_infer_request();
        for (auto& outputs : series.outputs) {
            outputs = infer_once(request, series.inputs, alone.outputs().size());
        }
        series_.push_back(std::move(series));
    }
    compile(1);
}

void SoakModel::compile(std::size_t streams) {
    CompiledModel made = Core().compile_model(path_, "CPU",
                                              {{property::kNumStreams, std::to_string(streams)},
                                               {property::kInferenceNumThreads, "4"},
                                               {property::kCacheDir, cache_}});
    const std::lock_guard lock(mutex_);
    std::swap(compiled_, made);  // the earlier one may end after the lock
}

CompiledModel SoakModel::compiled() const {
    const std::lock_guard lock(mutex_);
    return compiled_;
}

Canceller::~Canceller() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void Canceller::cancel_soon(const InferRequest& request) {
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
    }
    wake_.notify_one();
}

void Canceller::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return ends_ || !requests_.empty(); });
        if (ends_) return;
        InferRequest request = std::move(requests_.front());
        requests_.pop_front();
        lock.unlock();
        request.cancel();
        request = {};
        lock.lock();
    }
}

namespace {

constexpr const char* kLayers[] = {"hidden_split", "batch_split", "wavefront"};

template <typename Op>
std::shared_ptr<Graph> layer(std::int64_t hidden, std::size_t batch, std::size_t time, Rng& rng) {
    RecurrentCase test;
    test.open_shapes = false;
    test.attributes.hidden_size = hidden;
    test.batch = batch;
    test.time = time;
    return make_recurrent<Op>(test, rng).graph;
}

std::shared_ptr<Graph> stack() {
    StackedCase test;
    test.batch = 1;
    test.time = 80;
    test.hidden = test.input = 64;
    test.open = false;
    return make_stacked(test).graph;
}

}  // namespace

void write_soak_layers(const std::string& folder) {
    Rng rng = test_rng();
    const std::shared_ptr<Graph> graphs[] = {layer<ops::LSTMSequence>(192, 1, 12, rng),
                                             layer<ops::GRUSequence>(48, 12, 16, rng), stack()};
    for (std::size_t i = 0; i < std::size(kLayers); ++i) {
        save_model(Model(graphs[i]), folder + "/" + kLayers[i] + ".xml");
    }
}

SoakScene::SoakScene(const std::string& folder) {
    const std::string cache = folder + "/cache";
    for (const FaultModel& model : kFaultModels) models.emplace_back(path_of(model), cache);
    for (const char* name : kLayers) models.emplace_back(folder + "/" + name + ".xml", cache);
}

}  // namespace rondo::test
