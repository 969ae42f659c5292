// The options of every subcommand, with their defaults, and the subcommands themselves.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rondo::tool {

/// Options of the device.
struct PropertyOptions {
    std::vector<std::string> pairs;         ///< NAME=VALUE
    std::string cache_dir;                  ///< CACHE_DIR; empty: none
    std::vector<std::string> plugins = {};  ///< NAME=FILE
    bool keep_inputs = false;               ///< KEEP_INPUTS
};

struct CompileOptions {
    std::string model;
    std::string output;  ///< .xml or .onnx
    std::string target;  ///< "ir", "onnx" or "openvino"; empty: as the output's name says
    bool keep_inputs = false;
    std::string weights = "f32";
    bool external_data = false;  ///< of ONNX
    std::string stateful;        ///< "auto" or pairs INPUT:OUTPUT; empty: states stay as they are
    std::string streaming;       ///< "auto" or "input:axis,..."; empty: no
    std::string batch;           ///< a number, "?" or "-1"; empty: as it is
    std::string batch_axis;      ///< likewise, of a new axis; empty: none
    bool print_passes = false;
    std::string dump_after;
    std::string stop_after;
    bool validate_passes = false;
};

struct RunOptions {
    std::string model;
    std::string device = "CPU";
    PropertyOptions properties;
    std::vector<std::string> inputs;  ///< name=file.npy
    std::string output_dir;
};

struct CompareOptions {
    std::string model;
    std::string device = "CPU";
    PropertyOptions properties;
    std::string reference_device = "REFERENCE";
    std::string reference_model;  ///< empty: the same model
    std::vector<std::string> inputs;
    std::string data_shape;
    double atol = 1e-4;
    double rtol = 1e-4;
    unsigned seed = 1;
    bool layers = false;  ///< compare nodes, too
    bool json = false;
};

struct InfoOptions {
    std::vector<std::string> models;  ///< one; with `coverage` also folders, and more than one
    bool coverage = false;
    std::string device = "CPU";
    PropertyOptions properties;
    std::string data_shape;  ///< shapes to give the inputs first; empty: as they are
    std::string graph;       ///< .dot, .svg or .html
    bool explain = false;
    bool rows = false;
    std::string why;  ///< the name of a node
    bool text = false;
    bool json = false;
};

/// Live streams, for `benchmark -streams`.
struct LiveStreamOptions {
    std::string streams;    ///< a number or "max"; empty: no live streams
    double rate = 31.25;    ///< chunks a second: 32 ms of sound each
    std::size_t chunk = 0;  ///< the extent of open axes besides the batch; 0: not given
    std::size_t max_batch = 64;
    std::size_t max_delay_us = 0;
    double bound_ms = 10;  ///< of the 99th percentile
    std::string plot;      ///< .svg
};

struct BenchmarkOptions {
    LiveStreamOptions live;
    std::string model;
    bool from_file = false;  ///< compile the file without reading it first
    std::string device = "CPU";
    PropertyOptions properties;
    std::string load_config;  ///< a .json file of properties
    std::string dump_config;
    std::string hint;  ///< latency, throughput, cumulative_throughput or none; empty: by `api`
    std::string api;   ///< sync or async; empty: sync with the hint latency
    std::optional<std::size_t> iterations;  ///< nothing: by time; 0: compile only
    std::optional<double> seconds;
    double most_rate = 0;      ///< inferences started in a second; 0: as fast as they go
    std::size_t requests = 0;  ///< 0: the device's optimal number
    std::string streams;       ///< a number, or DEVICE:number
    std::size_t threads = 0;
    std::string pinning;  ///< YES or NO; empty: the device's choice
    std::size_t batch = 0;
    bool batch_axis = false;  ///< give the model one first
    std::string layout;
    std::string shape;
    std::string data_shape;
    std::vector<std::string> inputs;
    bool inference_only = true;  ///< false: filling the inputs is measured, too
    bool no_warmup = false;
    bool counters = false;
    std::string counter_order;  ///< sort, no_sort or simple_sort; empty: no_sort
    bool by_shape = false;      ///< latencies of each data shape
    unsigned percentile = 50;
    std::string report_type;  ///< no_counters, average_counters, detailed_counters
    std::string report_folder = ".";
    bool json_stats = false;
    std::string exec_graph;  ///< .xml
    std::string html;        ///< .html
    std::string trace;       ///< .json
    std::string precision;   ///< f32, or DEVICE:f32
    unsigned seed = 1;
    std::vector<std::pair<std::string, std::string>> typed = {};  ///< options as they were given
    std::vector<std::string> command_line = {};                   ///< all arguments, likewise
};

struct QuantizeOptions {
    std::string model;
    std::string output;  ///< .xml or .onnx
    std::string format = "w8r16";
    std::vector<std::string> keep;
    double least_decibels = 20;
    std::size_t least_weights = 0;  ///< 0: by the format
    bool measures = true;
    std::vector<std::string> inputs;  ///< name=file, or .npz
    std::string data_shape;
    unsigned seed = 1;
    PropertyOptions properties;  ///< of reading and of the runs that are measured
    bool json = false;
};

/// Each returns the program's exit code: 0, or 1 if `compare` finds a difference.
int compile(const CompileOptions& options);
int run(const RunOptions& options);
int compare(const CompareOptions& options);
int info(const InfoOptions& options);
/// What `info` does with --coverage, a line a model: its layers and operations, or why it doesn't
/// run, if it returns 1; and with --why, a line for each pass that made, replaced or removed the
/// node, and how the device runs it.
int coverage(const InfoOptions& options);
int why(const InfoOptions& options);
int benchmark(const BenchmarkOptions& options);
int quantize(const QuantizeOptions& options);

/// The arguments as our parser takes them, so that one dash or two make no difference: `-niter 10`
/// becomes `--niter 10`; `--t 5`, `-t=5` and `-t5` become `-t 5` and `-t5`. Each argument becomes
/// one. Numbers stay as they are.
std::vector<std::string> with_double_dashes(const std::vector<std::string>& arguments);

/// Why the flag isn't there, for a name without dashes; empty for other names.
std::string refusal_of(const std::string& flag);

}  // namespace rondo::tool
