// The calls of a floating step for the sizes that its runs have met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/floating_memory.hpp"

namespace rondo::cpu {

/// What a floating step is bound to: the sizes of its floating inputs, and elements that decide
/// more.
struct CallForm {
    std::vector<Shape> shapes;       ///< of the floating inputs
    std::vector<ElementType> types;  ///< likewise
    ExtentFinder finder;
    std::vector<Shape> extents;                         ///< that it found
    std::vector<std::pair<std::size_t, Tensor>> reads;  ///< inputs whose elements were asked for
    std::vector<TensorInfo> outputs;
    std::unique_ptr<Call> call;
    std::vector<std::optional<View>> views;  ///< an output each
    bool writes = false;                     ///< some output is no view
};

/// Finding a form costs the same however many there are, and allocates nothing. For one run at a
/// time.
class CallForms {
public:
    /// So many forms are kept of all floating steps of a plan together, but at least kFewest of
    /// each.
    static constexpr std::size_t kAltogether = 16384;
    static constexpr std::size_t kFewest = 64;

    /// Keeps `most` forms, or as many as kFewest. `ports` must outlive this object.
    CallForms(const FloatingStep& ports, std::size_t most)
        : ports_(ports), most_(std::max(most, kFewest)) {}

    /// All inputs of the step, as the present run has them.
    struct Inputs {
        const FloatingMemory& memory;
        std::span<const void* const> data;
    };
    /// The form for these inputs, or null.
    const CallForm* find(const Inputs& inputs);
    /// Keeps a form for inputs that find() has not found; it may take the place of another one.
    const CallForm& add(CallForm form, const Inputs& inputs);
    std::size_t size() const { return forms_.size(); }

private:
    struct Kept {
        CallForm form;
        std::size_t sizes = 0;     // key
        std::size_t elements = 0;  // key
        Kept* next = nullptr;      // was asked for after this one
    };

    bool has_sizes(const CallForm& form, const Inputs& inputs) const;
    bool has_elements(const CallForm& form, const Inputs& inputs);
    std::size_t key_of_sizes(const Inputs& inputs) const;
    std::size_t key_of_elements(const CallForm& form, std::size_t sizes, const Inputs& inputs);
    Kept* with_sizes(std::size_t key, const Inputs& inputs) const;
    Kept* look_up(const Inputs& inputs);
    Kept& place_for_one();
    void forget(Kept& kept, std::size_t key);
    void go_on_to(Kept& kept);

    const FloatingStep& ports_;
    std::size_t most_;
    std::deque<Kept> forms_;
    // By sizes, one form for each; and by elements, where they decide more.
    std::unordered_multimap<std::size_t, Kept*> index_;
    Kept* last_ = nullptr;
    std::uint32_t replaced_ = 0;  // how many forms took the place of another one
    std::vector<Shape> found_;
};

}  // namespace rondo::cpu
