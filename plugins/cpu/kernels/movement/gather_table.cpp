#include "plugins/cpu/kernels/movement/gather_table.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

namespace rondo::cpu {
namespace {

bool stays(const PickAxis& axis) {
    if (static_cast<std::int64_t>(axis.places.size()) != axis.input) return false;
    for (std::size_t i = 0; i < axis.places.size(); ++i) {
        if (axis.places[i] != static_cast<std::int64_t>(i)) return false;
    }
    return true;
}

template <std::int64_t bytes>
void copy_run(const std::vector<std::int64_t>& offsets, const char* from, char* to) {
    for (const std::int64_t offset : offsets) {
        copy_bytes(to, from + offset, bytes);
        to += bytes;
    }
}

}  // namespace

GatherTable::GatherTable(const std::vector<PickAxis>& axes, std::int64_t element)
    : element_(element), block_(element) {
    std::int64_t stride = element;
    bool is_block = true;  // all axes so far stay as they are
    std::vector<Offsets> offsets;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        if (is_block && stays(*axis)) {
            block_ *= axis->input;
        } else {
            is_block = false;
            Offsets own;
            for (const std::int64_t place : axis->places) {
                own.push_back(place < 0 ? place : place * stride);
            }
            offsets.insert(offsets.begin(), std::move(own));
        }
        stride *= axis->input;
    }
    run_ = {0};
    if (!offsets.empty()) {
        run_ = std::move(offsets.back());
        offsets.pop_back();
    }
    outer_ = std::move(offsets);
    for (const Offsets& axis : outer_) rows_ *= static_cast<std::int64_t>(axis.size());
}

std::int64_t GatherTable::row_bytes() const {
    return static_cast<std::int64_t>(run_.size()) * block_;
}

// Where the row starts in the data; below 0 where an axis has a value of its own there.
std::int64_t GatherTable::row_offset(std::int64_t row) const {
    std::int64_t sum = 0;
    std::int64_t own = 0;
    for (std::size_t i = outer_.size(); i-- > 0;) {
        const auto count = static_cast<std::int64_t>(outer_[i].size());
        const std::int64_t offset = outer_[i][static_cast<std::size_t>(row % count)];
        row /= count;
        if (offset < 0) own = offset;  // the outermost one counts
        sum += offset;
    }
    return own < 0 ? own : sum;
}

void GatherTable::write_row(const PickArgs& args, std::int64_t from, char* to) const {
    const char* data = static_cast<const char*>(args.data) + from;
    const bool has_values = std::any_of(run_.begin(), run_.end(), [](auto at) { return at < 0; });
    if (has_values) {
        for (const std::int64_t offset : run_) {
            if (offset < 0) {
                fill_elements(to, args.values[-offset - 1], element_, block_ / element_);
            } else {
                copy_bytes(to, data + offset, block_);
            }
            to += block_;
        }
        return;
    }
    switch (block_) {
        case 1: return copy_run<1>(run_, data, to);
        case 2: return copy_run<2>(run_, data, to);
        case 4: return copy_run<4>(run_, data, to);
        case 8: return copy_run<8>(run_, data, to);
        default: break;
    }
    for (const std::int64_t offset : run_) {
        copy_bytes(to, data + offset, block_);
        to += block_;
    }
}

void GatherTable::run(const PickArgs& args, std::int64_t begin, std::int64_t end) const {
    const std::int64_t bytes = row_bytes();
    char* to = static_cast<char*>(args.out) + begin * bytes;
    std::int64_t last = -3;  // what no row has
    for (std::int64_t row = begin; row < end; ++row, to += bytes) {
        const std::int64_t from = row_offset(row);
        if (from == last) {
            copy_bytes(to, to - bytes, bytes);
        } else if (from < 0) {
            fill_elements(to, args.values[-from - 1], element_, bytes / element_);
        } else {
            write_row(args, from, to);
        }
        last = from;
    }
}

}  // namespace rondo::cpu
