#include "plugins/cpu/plugin/threads/own_team.hpp"

#include <thread>

#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/pooled_team.hpp"

namespace rondo::cpu {
namespace {

class OwnTeam final : public PooledTeam {
public:
    OwnTeam(int threads, bool flush_denormals)
        : PooledTeam(threads, threads - 1, true), flush_denormals_(flush_denormals) {}
    ~OwnTeam() override { pool()->stop(); }

private:
    // Throws where the system has no thread left: the pool then does without that worker.
    void start(int worker) override {
        std::thread([pool = pool(), worker, flush = flush_denormals_] {
            const FlushDenormals flushing(flush);
            pool->work(worker);
        }).detach();
    }

    bool flush_denormals_;
};

}  // namespace

std::unique_ptr<Team> make_own_team(int threads, bool flush_denormals) {
    return std::make_unique<OwnTeam>(threads, flush_denormals);
}

}  // namespace rondo::cpu
