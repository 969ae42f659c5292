// TBB threads that teams keep, in addition to those that all other users in the process share.
#pragma once

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

}  // namespace rondo::cpu
