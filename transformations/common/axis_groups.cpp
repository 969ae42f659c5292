#include "transformations/common/axis_groups.hpp"

#include <cstdint>

#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

// Walks data and pattern from one end to the -1 (or through), matching axes.
class Matcher {
public:
    Matcher(const PartialShape& data, const std::vector<std::int64_t>& pattern, bool special_zero)
        : data_(data), pattern_(pattern), special_zero_(special_zero), counts_(pattern.size()) {}

    std::optional<std::vector<std::size_t>> match() {
        std::size_t front = 0;
        std::size_t data_front = 0;
        std::size_t back = pattern_.size();
        std::size_t data_back = data_.rank();
        while (front < back && pattern_[front] != -1) {
            if (!take_front(front, data_front)) return {};
            ++front;
        }
        while (back > front && pattern_[back - 1] != -1) {
            if (data_back == data_front || !equal(back - 1, data_back - 1)) return {};
            counts_[--back] = 1;
            --data_back;
        }
        return close(front, data_back - data_front);
    }

private:
    bool copies(std::size_t place) const { return pattern_[place] == 0 && special_zero_; }

    bool equal(std::size_t place, std::size_t axis) const {
        return copies(place) ? place == axis : data_[axis] == Dimension(pattern_[place]);
    }

    // The axes from `axis` on whose product is the number at `place`.
    bool take_front(std::size_t place, std::size_t& axis) {
        if (axis == data_.rank()) return false;
        if (copies(place)) {
            counts_[place] = 1;
            return place == axis++;
        }
        std::int64_t product = 1;
        do {
            if (!data_[axis].is_static() || data_[axis].length() == 0) return false;
            product *= data_[axis++].length();
            ++counts_[place];
        } while (product < pattern_[place] && axis < data_.rank());
        return product == pattern_[place];
    }

    // What is left belongs to the -1; without one, only axes of extent 1 may be left.
    std::optional<std::vector<std::size_t>> close(std::size_t place, std::size_t left) {
        if (place < pattern_.size()) {
            if (left == 0) return {};
            counts_[place] = left;
            return counts_;
        }
        if (left > 0 && (counts_.empty() || copies(pattern_.size() - 1))) return {};
        for (std::size_t i = 0; i < left; ++i) {
            if (data_[data_.rank() - 1 - i] != Dimension(1)) return {};
        }
        if (left > 0) counts_.back() += left;
        return counts_;
    }

    const PartialShape& data_;
    const std::vector<std::int64_t>& pattern_;
    bool special_zero_;
    std::vector<std::size_t> counts_;
};

}  // namespace

std::optional<std::vector<std::size_t>> merged_axis_counts(const ops::Reshape& reshape) {
    const PartialShape& data = reshape.input(0).shape();
    const auto pattern = constant_ints(reshape.input(1));
    if (!data.has_rank() || !pattern || pattern->size() > data.rank()) return {};
    return Matcher(data, *pattern, reshape.special_zero()).match();
}

}  // namespace rondo::passes
