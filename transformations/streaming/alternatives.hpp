// The ways to read a graph that allows several readings, tried one after another.
#pragma once

#include <cstddef>
#include <vector>

namespace rondo::passes {

/// Each run through a graph takes the same decisions again, up to the last one that has another
/// option, and goes on from there.
class Alternatives {
public:
    /// The option that this run takes, below `options`, which must be 1 or more.
    std::size_t take(std::size_t options) {
        if (place_ == taken_.size()) taken_.push_back({0, options});
        return taken_[place_++].option;
    }
    /// Starts another run with the same decisions.
    void rewind() { place_ = 0; }
    /// Starts another run with the next decisions; false where none are left.
    bool next() {
        rewind();
        while (!taken_.empty() && taken_.back().option + 1 == taken_.back().options) {
            taken_.pop_back();
        }
        if (taken_.empty()) return false;
        ++taken_.back().option;
        return true;
    }

private:
    struct Decision {
        std::size_t option;
        std::size_t options;
    };
    std::vector<Decision> taken_;
    std::size_t place_ = 0;
};

}  // namespace rondo::passes
