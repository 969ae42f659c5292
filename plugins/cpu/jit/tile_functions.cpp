#include "plugins/cpu/jit/tile_functions.hpp"

#include <cstddef>
#include <list>
#include <utility>

#include "plugins/cpu/jit/product_loop.hpp"
#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu::jit {
namespace {

enum class TileKind { plain, look_ahead, fused, finish };

class TileGenerator {
public:
    TileGenerator(JitBase& code, const TileRequest& request, TileEnds& ends)
        : code_(code), request_(request), ends_(ends) {}

    TileFunctions run() {
        for (int rows = 1; rows <= kMaxTileRows; ++rows) {
            for (int panels = 1; panels <= kMaxTilePanels; ++panels) emit_tiles(rows, panels);
        }
        if (request_.look_ahead && can_look_ahead(code_.isa(), request_.weights)) {
            for (int panels = 1; panels <= kMaxLookAheadTilePanels; ++panels) {
                emit({1, panels, request_.vectors}, TileKind::look_ahead,
                     functions_.look_ahead[panels]);
            }
        }
        if (request_.finish_rows > 0 && !request_.weights.integers()) emit_finish();
        ends_.emit_shared();
        code_.finish();
        for (const Entry& entry : entries_) {
            *entry.function = reinterpret_cast<TileFunctions::Function>(
                const_cast<std::uint8_t*>(entry.label.getAddress()));
        }
        return functions_;
    }

private:
    struct Entry {
        Xbyak::Label label;
        TileFunctions::Function* function;
    };

    void emit_tiles(int rows, int panels) {
        const TileShape shape{rows, panels, request_.vectors, request_.weights.chains()};
        if (!is_tile(code_.isa(), shape)) return;
        emit(shape, TileKind::plain, functions_.plain[rows][panels]);
        if (rows <= request_.finish_rows && request_.weights.integers()) {
            emit(shape, TileKind::finish, functions_.finish[rows][panels]);
        }
        if (request_.input.k == 0 || rows > kMaxFusedRows) return;
        if (panels > max_fused_panels(request_.vectors)) return;
        emit(shape, TileKind::fused, functions_.fused[rows][panels]);
    }

    void start(TileFunctions::Function& function) {
        code_.align(16);
        entries_.push_back({Xbyak::Label(), &function});
        code_.L(entries_.back().label);
    }

    // Sums of kBf16 are results already, of any number of rows.
    void emit_finish() {
        start(functions_.finish_floats);
        code_.emit_entry(ends_.stack_bytes());
        ends_.emit_finish();
    }

    void emit(const TileShape& shape, TileKind kind, TileFunctions::Function& function) {
        start(function);
        code_.emit_entry(ends_.stack_bytes());
        emit_sums(shape, kind);
        ends_.emit_end(shape);
    }

    void emit_sums(const TileShape& shape, TileKind kind) {
        std::vector<Lease> accumulators;
        for (int i = 0; i < shape.accumulators(); ++i) {
            accumulators.push_back(code_.take_vector("accumulator"));
        }
        if (kind == TileKind::finish) {
            emit_loads(shape, accumulators);
        } else if (kind == TileKind::fused) {
            emit_fused_input(shape, accumulators);
        } else {
            emit_starts(shape, accumulators);
        }
        if (kind != TileKind::finish) emit_products(shape, accumulators, kind);
        const int across = shape.accumulators() / shape.rows;
        for (int row = 0; row < shape.rows; ++row) {
            const auto first = accumulators.begin() + row * across;
            ends_.emit_result(shape, row, std::vector<Lease>(first, first + across));
        }
    }

    // The chains of kBf16 start from 0.
    void emit_starts(const TileShape& shape, const std::vector<Lease>& accumulators) {
        const bool chains = request_.weights.chains_pairs();
        int next = 0;
        for_each_start(shape, accumulators,
                       [&](const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int v) {
                           if (chains && next++ % shape.sums != 0)
                               return code_.vxorps(acc, acc, acc);
                           ends_.emit_start(acc, start, panel, v);
                       });
    }

    // Calls emit(accumulator, start of its row, panel, vector) for all.
    template <typename Emit>
    void for_each_start(const TileShape& shape, const std::vector<Lease>& accumulators, Emit emit) {
        const Lease start = code_.take_gpr("start of a row");
        std::size_t next = 0;
        for (int row = 0; row < shape.rows; ++row) {
            const auto at = static_cast<std::size_t>(row) * sizeof(void*);
            code_.mov(JitBase::gpr(start), code_.argument(offsetof(TileArgs, start) + at));
            for (int panel = 0; panel < shape.panels; ++panel) {
                for (int vector = 0; vector < shape.vectors * shape.sums; ++vector) {
                    emit(code_.vmm(accumulators[next++]), JitBase::gpr(start), panel,
                         vector / shape.sums);
                }
            }
        }
    }

    void emit_loads(const TileShape& shape, const std::vector<Lease>& accumulators) {
        const Lease sums = code_.take_gpr("sums"), stride = code_.take_gpr("stride of sums");
        code_.mov(JitBase::gpr(sums), code_.argument(offsetof(TileArgs, sums)));
        code_.mov(JitBase::gpr(stride), code_.argument(offsetof(TileArgs, sums_stride)));
        const int across = shape.accumulators() / shape.rows;
        for (int i = 0; i < shape.accumulators(); ++i) {
            if (i > 0 && i % across == 0) code_.add(JitBase::gpr(sums), JitBase::gpr(stride));
            const int at = i % across * code_.vector_bytes();
            code_.vmovups(code_.vmm(accumulators[static_cast<std::size_t>(i)]),
                          Xbyak::util::ptr[JitBase::gpr(sums) + at]);
        }
    }

    // Up to where the tile's own product starts.
    void emit_fused_input(const TileShape& shape, const std::vector<Lease>& accumulators) {
        {
            FusedInputProduct input(code_, request_.weights, shape, request_.input, accumulators);
            const Lease k = code_.take_gpr("k"), limit = code_.take_gpr("limit of k");
            code_.xor_(JitBase::gpr(k), JitBase::gpr(k));
            code_.mov(JitBase::gpr(limit), request_.input.k);
            emit_product_loop(code_, JitBase::gpr(k), JitBase::gpr(limit), {&input});
        }
        bool any = false;
        for (int vector = 0; vector < shape.vectors; ++vector) any |= ends_.has_between(vector);
        if (!any) return;
        for_each_start(shape, accumulators,
                       [&](const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int v) {
                           if (ends_.has_between(v)) ends_.emit_between(acc, start, panel, v);
                       });
    }

    void emit_products(const TileShape& shape, const std::vector<Lease>& accumulators,
                       TileKind kind) {
        PanelProduct panels(code_, request_.weights, shape, accumulators, request_.prefetch);
        const Lease limit = code_.take_gpr("limit of k");
        if (kind == TileKind::look_ahead) return emit_both_products(panels, limit);
        if (request_.weights.chains_pairs()) return emit_chains(panels, limit);
        const Lease k = code_.take_gpr("k");
        code_.xor_(JitBase::gpr(k), JitBase::gpr(k));
        code_.mov(JitBase::gpr(limit), code_.argument(offsetof(TileArgs, k)));
        emit_product_loop(code_, JitBase::gpr(k), JitBase::gpr(limit), {&panels});
    }

    // As many steps as a chain has, and again.
    void emit_chains(PanelProduct& panels, const Lease& limit_lease) {
        const Lease k_lease = code_.take_gpr("k");
        const Xbyak::Reg64 k = JitBase::gpr(k_lease), limit = JitBase::gpr(limit_lease);
        const auto steps = code_.argument(offsetof(TileArgs, k));
        Xbyak::Label next, done;
        code_.xor_(k, k);
        code_.L(next);
        code_.cmp(k, steps);
        code_.jge(done, Xbyak::CodeGenerator::T_NEAR);
        code_.lea(limit, Xbyak::util::ptr[k + kBf16Chain / 2]);
        code_.cmp(limit, steps);
        code_.cmovg(limit, steps);
        emit_product_loop(code_, k, limit, {&panels});
        panels.emit_join();
        code_.jmp(next, Xbyak::CodeGenerator::T_NEAR);
        code_.L(done);
    }

    // Both products as long as both last, then the rest of one.
    void emit_both_products(PanelProduct& panels, const Lease& limit_lease) {
        LookAheadProduct ahead(code_);
        const Lease k_lease = code_.take_gpr("k");
        const Xbyak::Reg64 k = JitBase::gpr(k_lease), limit = JitBase::gpr(limit_lease);
        const auto own_k = code_.argument(offsetof(TileArgs, k));
        const auto ahead_k = code_.argument(offsetof(TileArgs, ahead) + offsetof(LookAheadArgs, k));
        code_.xor_(k, k);
        code_.mov(limit, own_k);
        code_.cmp(limit, ahead_k);
        code_.cmovg(limit, ahead_k);
        emit_product_loop(code_, k, limit, {&panels, &ahead});
        code_.mov(limit, own_k);
        emit_product_loop(code_, k, limit, {&panels});
        code_.mov(limit, ahead_k);
        emit_product_loop(code_, k, limit, {&ahead});
        ahead.emit_results();
    }

    JitBase& code_;
    const TileRequest& request_;
    TileEnds& ends_;
    TileFunctions functions_;
    std::list<Entry> entries_;
};

}  // namespace

TileFunctions generate_tiles(JitBase& code, const TileRequest& request, TileEnds& ends) {
    return TileGenerator(code, request, ends).run();
}

}  // namespace rondo::cpu::jit
