// A loop bound to sizes: where each iteration reads and writes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/ops/control/iterated_op.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/nodes/control/body_parts.hpp"

namespace rondo::cpu {

/// What a loop is bound to.
struct LoopSite {
    const ops::IteratedOp& op;
    const CallSite& site;
    std::span<const TensorInfo> parameters;  ///< of the body
    /// How often the body runs; nothing where only a run finds it.
    std::optional<std::size_t> count;
};

/// Values that go round take turns in two buffers, so that no iteration copies them. Parts are read
/// and written in place where they are one block of memory.
class LoopCall final : public Call {
public:
    LoopCall(const LoopSite& loop, std::unique_ptr<BoundBody> body);

    void run(const RunArgs& args) const override;
    std::size_t scratch_bytes() const override { return layout_.bytes(); }
    std::string detail() const override { return detail_; }

private:
    // How a parameter gets its value.
    struct Feed {
        std::size_t parameter = 0;
        std::size_t input = 0;
        std::optional<std::size_t> back_edge;
        bool sliced = false;
        std::size_t parts = 0;
        std::ptrdiff_t first = 0;  ///< in bytes
        std::ptrdiff_t step = 0;
        std::optional<std::size_t> staging;  ///< where a part is copied that isn't one block
        StridedCopy copy;
    };
    // Where a result goes.
    struct Home {
        enum class Kind : std::uint8_t { staging, turns, output, joined };
        Kind kind = Kind::staging;
        std::size_t offset = 0;  ///< of the buffer in scratch; of the second one: + bytes
        std::size_t bytes = 0;   ///< rounded up to a cache line
        std::size_t output = 0;
        std::ptrdiff_t first = 0;
        std::ptrdiff_t step = 0;
    };
    // An output that is copied: in each iteration to its place, or behind the last one.
    struct Join {
        std::size_t result = 0;
        std::size_t output = 0;
        std::ptrdiff_t first = 0;
        std::ptrdiff_t step = 0;
        StridedCopy copy;
    };
    struct Last {
        std::size_t result = 0;
        std::size_t output = 0;
        std::size_t bytes = 0;
        std::optional<std::size_t> initial;  ///< the input that it is where there was no iteration
        bool in_place = false;
    };
    // The addresses of one run.
    struct Tables {
        char* scratch;
        const void** inputs;
        void** outputs;
    };

    void add_feeds(const LoopSite& loop);
    void add_part(const LoopSite& loop, const ops::BodyInput& port, Feed& feed);
    void add_outputs(const LoopSite& loop);
    void add_joined(const LoopSite& loop, const ops::BodyOutput& port);
    void* buffer_of(std::size_t result, std::size_t iteration, char* scratch) const;
    void feed(const RunArgs& args, std::size_t iteration, const Tables& tables) const;
    void aim(const RunArgs& args, std::size_t iteration, const Tables& tables) const;
    void finish(const RunArgs& args, std::size_t count, const Tables& tables) const;
    bool starts(const RunArgs& args) const;
    std::size_t limit(const RunArgs& args) const;

    // What decides how often the body runs, and what it is given to know.
    struct Counters {
        ElementType count_type =
            ElementType::dynamic;              ///< of the trip count; dynamic: there is none
        std::optional<std::size_t> planned;    ///< iterations
        std::optional<std::size_t> condition;  ///< a result
        std::optional<std::size_t> number;     ///< the parameter for the iteration's number
        ElementType number_type = ElementType::dynamic;
    };
    // Where tables and buffers lie in scratch memory.
    struct Offsets {
        std::size_t inputs = 0;
        std::size_t outputs = 0;
        std::size_t number = 0;
        std::size_t body = 0;
    };

    const ops::IteratedOp& node_;
    std::unique_ptr<BoundBody> body_;
    Counters counters_;
    Offsets offsets_;
    std::vector<Feed> feeds_;
    std::vector<Home> homes_;  // a result each
    std::vector<Join> joins_;
    std::vector<Last> lasts_;
    ScratchLayout layout_;
    std::string detail_;
};

/// Slower than a call, since shapes are compared in each iteration. Shapes and numbers of
/// iterations that came before cost no allocation, except where there is no iteration.
std::unique_ptr<LateRun> make_late_loop(const ops::IteratedOp& op, const Body& body);

}  // namespace rondo::cpu
