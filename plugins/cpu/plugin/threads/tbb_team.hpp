// The kernels' team over oneTBB.
#pragma once

#include <memory>
#include <vector>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// While this lives, TBB may make `count` additional threads: a team's workers sleep in its
/// arena between inferences, and other users of TBB, also other teams, keep their threads.
class ExtraWorkers {
public:
    explicit ExtraWorkers(int count);
    ~ExtraWorkers();
    ExtraWorkers(const ExtraWorkers&) = delete;
    ExtraWorkers& operator=(const ExtraWorkers&) = delete;

private:
    int count_;
};

/// The number of cores on which the calling thread may run (its affinity mask); at least 1.
int available_cores();

struct TeamOptions {
    int threads = 1;  ///< the caller among them; 1 gives a team without TBB
    /// The cores of TBB's threads, one each, while they work for this team (see WorkerPins);
    /// empty: no pinning.
    std::vector<int> pins;
    /// Denormals count as zero in bodies on TBB's threads; the caller sets its own.
    bool flush_denormals = true;
};

/// `threads` with the caller among them, at least 2. Threads that have no work for long end; they
/// aren't pinned. `flush_denormals` as in TeamOptions.
std::unique_ptr<Team> make_own_team(int threads, bool flush_denormals);

/// Its threads are TBB's, and stay in a ThreadPool between calls; idle teams cost nothing. One
/// caller at a time. In a child that was forked from a user of TBB they are the team's own.
std::unique_ptr<Team> make_team(const TeamOptions& options);

inline std::unique_ptr<Team> make_team(int threads) {
    TeamOptions options;
    options.threads = threads;
    return make_team(options);
}

}  // namespace rondo::cpu
