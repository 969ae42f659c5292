// Runs MVN, alone or followed by an elementwise program: rows in one pass, other axes moved to the
// end and back.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/reduction/normalize.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kMvnGrain = 1 << 13;  // elements that are worth a thread
// Elements that are normalised before a program goes on.
constexpr std::int64_t kMvnBlock = 1 << 12;

// The data as rows, and the copies there and back if its axes have another order.
struct MvnRows {
    std::int64_t count = 1;
    std::int64_t n = 1;
    std::optional<StridedCopy> to_rows;
    std::optional<StridedCopy> from_rows;
};

// True if an axis that is kept comes after one that is reduced; extents of 1 don't matter.
bool is_moved(const Shape& shape, const std::vector<bool>& reduced) {
    bool behind = false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        if (behind && !reduced[i]) return true;
        behind = behind || reduced[i];
    }
    return false;
}

MvnRows rows_of(const Shape& shape, const std::vector<bool>& reduced, std::int64_t element) {
    MvnRows rows;
    const Strides strides = dense_strides(shape, element);
    Shape moved;  // kept axes, then reduced ones
    CopyLayout layout;
    layout.element_size = element;
    for (const bool wanted : {false, true}) {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (reduced[i] != wanted) continue;
            (wanted ? rows.n : rows.count) *= static_cast<std::int64_t>(shape[i]);
            moved.push_back(shape[i]);
            layout.from.push_back(strides[i]);
        }
    }
    if (!is_moved(shape, reduced)) return rows;
    layout.extents = extents_of(moved);
    layout.to = dense_strides(moved, element);
    rows.to_rows.emplace(layout);
    std::swap(layout.from, layout.to);
    rows.from_rows.emplace(layout);
    return rows;
}

template <typename T>
void run_rows(const NormalizeKernel& kernel, const MvnRows& rows, const RunArgs& args,
              const EpilogueRun& epilogue) {
    const auto* from = static_cast<const T*>(args.inputs[0]);
    auto* to = static_cast<T*>(epilogue.result());
    const std::int64_t in_block = epilogue.by_blocks() ? kMvnBlock / rows.n + 1 : rows.count;
    share(args.team, rows.count, kMvnGrain / rows.n + 1, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            const std::int64_t some = std::min(in_block, end - begin);
            kernel.run(from + begin * rows.n, to + begin * rows.n, some, rows.n);
            if (epilogue.by_blocks()) {
                epilogue.block(begin * rows.n, (begin + some) * rows.n);
            }
            begin += some;
        }
    });
}

template <typename T>
void run_moved(const NormalizeKernel& kernel, const MvnRows& rows, const RunArgs& args,
               const EpilogueRun& epilogue) {
    auto* moved = static_cast<T*>(epilogue.scratch());
    rows.to_rows->run(args.inputs[0], moved, args.team);
    share(args.team, rows.count, kMvnGrain / rows.n + 1, [&](std::int64_t begin, std::int64_t end) {
        T* first = moved + begin * rows.n;
        kernel.run(first, first, end - begin, rows.n);
    });
    rows.from_rows->run(moved, epilogue.result(), args.team);
    if (!epilogue.by_blocks()) return;
    share(args.team, rows.count * rows.n, kMvnGrain,
          [&](std::int64_t begin, std::int64_t end) { epilogue.block(begin, end); });
}

NormalizeConfig config_of(const ops::Mvn& op) {
    const auto& attributes = op.attributes();
    return {attributes.eps, attributes.eps_mode == ops::EpsMode::inside_sqrt,
            attributes.normalize_variance};
}

NormalizeKernel kernel_of(const ops::Mvn& op, Isa isa, Precision precision) {
    return {shared_elementwise_kernel(isa, NormalizeKernel::scaled(precision)), config_of(op)};
}

// A fused one is shown as the normalisation.
class MvnNode final : public CpuNode {
public:
    MvnNode(const Node& node, const ops::Mvn& op, const CompileContext& context)
        : CpuNode(node, "mvn_" + kernel_suffix(context.isa, op.output_type(0)),
                  "two sums and one pass over each row"),
          isa_(context.isa),
          floats_(kernel_of(op, context.isa, Precision::f32)),
          doubles_(kernel_of(op, context.isa, Precision::f64)),
          epilogues_(context.isa, node, FusedMvn::kNormalisingParts) {
        show_parts();
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const bool is_empty =
            element_count(site.inputs[0].shape) == 0 || element_count(site.outputs[0].shape) == 0;
        if (is_empty) return make_zero_call(site.outputs[0]);
        return epilogues_.prepare(site, [&](const CallSite& own, std::optional<Epilogue> epilogue) {
            return make_floating_call(own, isa_, [&](auto tag, const CallSite& wide) {
                return make<tag_type<decltype(tag)>>(wide, std::move(epilogue));
            });
        });
    }

private:
    template <typename T>
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        const InferContext context = context_of(node(), site);
        const Shape& shape = site.inputs[0].shape;
        // Axes that aren't known leave the shape open, except that of a scalar: it has none.
        const auto axes = context.ints(1).value_or(std::vector<std::int64_t>());
        const auto reduced = ops::reduced_axes(context, axes, shape.size());
        MvnRows rows = rows_of(shape, reduced, sizeof(T));
        CallFacts facts;
        if (rows.to_rows) {
            facts = {whole_lines(static_cast<std::size_t>(rows.count * rows.n) * sizeof(T)),
                     "axes moved"};
        }
        const auto run = [&kernel = std::is_same_v<T, double> ? doubles_ : floats_,
                          rows = std::move(rows)](const RunArgs& args, const EpilogueRun& own) {
            rows.to_rows ? run_moved<T>(kernel, rows, args, own)
                         : run_rows<T>(kernel, rows, args, own);
        };
        return make_call(std::move(epilogue), run, std::move(facts));
    }

    Isa isa_;
    NormalizeKernel floats_;
    NormalizeKernel doubles_;
    Epilogues epilogues_;
};

}  // namespace

std::unique_ptr<CpuNode> make_mvn_node(const Node& node, const CompileContext& context) {
    return std::make_unique<MvnNode>(node, product_of<ops::Mvn>(node), context);
}

}  // namespace rondo::cpu
