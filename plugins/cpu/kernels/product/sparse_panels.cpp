#include "plugins/cpu/kernels/product/sparse_panels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu {
namespace {

// The part of the blocks, times rows, up to which skipping the others pays: of weights that come
// from beyond the L2, and of those that fit there, where whole vectors are read as fast as halves.
// Measured on a Xeon with AMX: f32 from beyond broke even at 0.8, in the L2 at 0.4, integers at
// 0.75 and 0.35.
constexpr double kMostFromFar = 0.6, kMostFromNear = 0.25;

double most_density(double dense_bytes) {
    return dense_bytes > static_cast<double>(cpu_features().l2_bytes) / 2 ? kMostFromFar
                                                                          : kMostFromNear;
}

// Zeros of either sign: pruning by multiplying leaves both.
template <typename T>
bool are_zeros(const char* bytes, std::size_t size) {
    const auto* numbers = reinterpret_cast<const T*>(bytes);
    return std::all_of(numbers, numbers + size / sizeof(T), [](T number) { return number == 0; });
}

}  // namespace

bool can_be_sparse(const WeightFormat& format) {
    return format == WeightFormat(ElementType::f32) || format.type == ElementType::i8;
}

int sparse_chains(Isa isa, const WeightFormat& format) {
    return isa == Isa::avx2 && format.sums() > 1 ? SparseGroup::kMostChains / 2
                                                 : SparseGroup::kMostChains;
}

int sparse_row_bytes(Isa isa, const WeightFormat& format) {
    if (!format.rounds_rows()) return kSparseDepth * static_cast<int>(sizeof(float));
    return kSparseDepth * bytes_in_row(format, numbers_of_step(isa, format)) * format.row_planes();
}

int sparse_unit_bytes(Isa isa, const WeightFormat& format) {
    constexpr int kMostScale = 8;  // of an address
    return std::min(kMostScale, sparse_row_bytes(isa, format));
}

// Cuts dense panels into blocks and gathers those that aren't zeros.
class SparsePacker {
public:
    SparsePacker(Isa isa, const WeightFormat& format, const DensePanels& dense)
        : format_(format),
          dense_(dense),
          lanes_(lanes_of(isa, Precision::f32)),
          together_(numbers_of_step(isa, format)),
          chains_(sparse_chains(isa, format)),
          place_step_(sparse_row_bytes(isa, format) / sparse_unit_bytes(isa, format)) {}

    /// Whether few enough blocks are kept. Stops as soon as there are too many.
    bool pays() {
        const std::int64_t all =
            dense_.units * dense_.vectors * parts() * (dense_.k / kSparseDepth);
        most_ = most_density(static_cast<double>(dense_.units * dense_.unit_bytes));
        const auto most = static_cast<std::int64_t>(most_ * static_cast<double>(all));
        for (std::int64_t unit = 0; unit < dense_.units && kept_ <= most; ++unit) {
            for (int chain = 0; chain < dense_.vectors * parts(); ++chain) {
                for (std::int64_t block = 0; block < dense_.k / kSparseDepth; ++block) {
                    kept_ += is_kept(unit, chain, block) ? 1 : 0;
                }
            }
        }
        density_ = all == 0 ? 1 : static_cast<double>(kept_) / static_cast<double>(all);
        return all > 0 && kept_ <= most;
    }

    SparsePanels pack() {
        SparsePanels result;
        result.units_ = dense_.units;
        result.density_ = density_;
        result.most_ = most_;
        result.span_ = dense_.span;
        for (std::int64_t unit = 0; unit < dense_.units; unit += result.span_) {
            const std::int64_t end = std::min(dense_.units, unit + result.span_);
            result.spans_.push_back(
                {static_cast<std::int64_t>(bytes_.size()), add_span(unit, end)});
        }
        const auto fill = [&](std::byte* to) { std::memcpy(to, bytes_.data(), bytes_.size()); };
        const auto describe = [&](Digester& source) {
            source.add_text("sparse");
            source.add(bytes_.data(), bytes_.size());
        };
        result.memory_ = SharedBytes(bytes_.size(), fill, describe);
        return result;
    }

private:
    struct Chain {
        std::uint32_t place;
        std::vector<const char*> blocks;
        std::vector<std::uint16_t> places;
    };

    // Blocks of columns in a vector.
    int parts() const { return lanes_ / kSparseColumns; }
    std::size_t column_bytes() const {
        return static_cast<std::size_t>(kSparseColumns * together_) *
               static_cast<std::size_t>(format_.bytes());
    }
    // From one step of `together` numbers to the next.
    std::int64_t step_bytes() const {
        return dense_.vectors * parts() * static_cast<std::int64_t>(column_bytes());
    }
    int steps_of_block() const { return kSparseDepth / together_; }

    // The first step of a block; chains are [vector][part].
    const char* block_at(std::int64_t unit, int chain, std::int64_t block) const {
        return static_cast<const char*>(dense_.first) + unit * dense_.unit_bytes +
               block * steps_of_block() * step_bytes() +
               chain * static_cast<std::int64_t>(column_bytes());
    }
    bool is_kept(std::int64_t unit, int chain, std::int64_t block) const {
        const char* at = block_at(unit, chain, block);
        for (int step = 0; step < steps_of_block(); ++step, at += step_bytes()) {
            const bool zeros = format_.integers() ? are_zeros<std::int8_t>(at, column_bytes())
                                                  : are_zeros<float>(at, column_bytes());
            if (!zeros) return true;
        }
        return false;
    }

    Chain chain_of(std::int64_t unit, int index, std::int64_t first_unit) const {
        Chain chain;
        const int vector = index / parts(), part = index % parts();
        const std::int64_t vectors = (unit - first_unit) * dense_.vectors + vector;
        const std::int64_t place = vectors * format_.sums() * lanes_ + part * kSparseColumns;
        chain.place = static_cast<std::uint32_t>(place * std::int64_t{sizeof(float)});
        for (std::int64_t block = 0; block < dense_.k / kSparseDepth; ++block) {
            if (!is_kept(unit, index, block)) continue;
            chain.blocks.push_back(block_at(unit, index, block));
            chain.places.push_back(static_cast<std::uint16_t>(block * place_step_));
        }
        return chain;
    }

    // Returns the number of groups.
    std::int64_t add_span(std::int64_t begin, std::int64_t end) {
        std::vector<Chain> chains;
        for (std::int64_t unit = begin; unit < end; ++unit) {
            for (int index = 0; index < dense_.vectors * parts(); ++index) {
                chains.push_back(chain_of(unit, index, begin));
            }
        }
        std::stable_sort(chains.begin(), chains.end(), [](const Chain& a, const Chain& b) {
            return a.blocks.size() > b.blocks.size();
        });
        const auto most = static_cast<std::size_t>(chains_);
        const std::size_t groups = (chains.size() + most - 1) / most;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = group * chains.size() / groups;
            const std::size_t last = (group + 1) * chains.size() / groups;
            add_group({chains.begin() + static_cast<std::ptrdiff_t>(first),
                       chains.begin() + static_cast<std::ptrdiff_t>(last)});
        }
        return static_cast<std::int64_t>(groups);
    }

    void add_group(const std::vector<Chain>& chains) {
        const std::size_t at = bytes_.size();
        SparseGroup group;
        group.chains = static_cast<std::uint32_t>(chains.size());
        group.steps = static_cast<std::uint32_t>(chains.front().blocks.size());
        for (std::size_t i = 0; i < chains.size(); ++i) group.places[i] = chains[i].place;
        append(&group, sizeof(group));
        for_each_block(chains, [&](const Chain& chain, std::size_t step) {
            const std::uint16_t place = step < chain.places.size() ? chain.places[step] : 0;
            append(&place, sizeof(place));
        });
        end_line();
        group.blocks = static_cast<std::uint32_t>(bytes_.size() - at);
        for_each_block(chains, [&](const Chain& chain, std::size_t step) {
            for (int i = 0; i < steps_of_block(); ++i) {
                step < chain.blocks.size()
                    ? append(chain.blocks[step] + i * step_bytes(), column_bytes())
                    : bytes_.resize(bytes_.size() + column_bytes());
            }
        });
        end_line();
        group.next = static_cast<std::uint32_t>(bytes_.size() - at);
        std::memcpy(bytes_.data() + at, &group, sizeof(group));
    }

    // In the order of SparseGroup; the first chain is the longest.
    template <typename Use>
    static void for_each_block(const std::vector<Chain>& chains, Use use) {
        for (std::size_t step = 0; step < chains.front().blocks.size(); ++step) {
            for (const Chain& chain : chains) use(chain, step);
        }
    }

    void append(const void* data, std::size_t count) {
        const auto* bytes = static_cast<const char*>(data);
        bytes_.insert(bytes_.end(), bytes, bytes + count);
    }
    void end_line() { bytes_.resize(whole_lines(bytes_.size())); }

    const WeightFormat format_;
    const DensePanels dense_;
    const int lanes_, together_, chains_;
    const int place_step_;  // from block to block of a row, in units of places
    std::int64_t kept_ = 0;
    double density_ = 1, most_ = 0;
    std::vector<char> bytes_;
};

std::optional<SparsePanels> SparsePanels::find(Isa isa, const WeightFormat& format,
                                               const DensePanels& dense, KernelMaker make) {
    const bool fits = dense.k % kSparseDepth == 0 && dense.k <= kMaxQuantized;
    if (isa == Isa::plain || !can_be_sparse(format) || !fits) return std::nullopt;
    SparsePacker packer(isa, format, dense);
    if (!packer.pays()) return std::nullopt;
    SparsePanels panels = packer.pack();
    panels.kernel_ = make(isa, format);
    return panels;
}

bool SparsePanels::pays(std::int64_t rows) const {
    return static_cast<double>(rows) * density_ <= most_;
}

Range SparsePanels::covered(Range units) const {
    const std::int64_t begin =
        std::min(whole_steps(units.begin, static_cast<int>(span_)), units.end);
    const std::int64_t end = units.end == units_ ? units_ : units.end / span_ * span_;
    return {begin, std::max(begin, end)};
}

Range SparsePanels::span_at(std::int64_t unit) const {
    return {unit, std::min(units_, unit + span_)};
}

void SparsePanels::add(std::int64_t unit, const void* row, void* sums) const {
    const Span& span = spans_[static_cast<std::size_t>(unit / span_)];
    const auto* first = reinterpret_cast<const SparseGroup*>(memory_.data() + span.offset);
    kernel_->add({first, span.groups, row, sums});
}

bool all_finite(const float* row, std::int64_t count) {
    constexpr std::uint32_t kExponent = 0x7f800000;
    bool finite = true;
    for (std::int64_t i = 0; i < count; ++i) {
        finite &= (std::bit_cast<std::uint32_t>(row[i]) & kExponent) != kExponent;
    }
    return finite;
}

}  // namespace rondo::cpu
