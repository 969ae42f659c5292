// The ways to make a model smaller. Each returns the changes that it could make to a candidate.
#pragma once

#include "tests/random/minimise/candidate.hpp"

namespace rondo::test {

/// One of the runs alone, and where there are more, all except one.
std::vector<Edit> keep_one_run(Candidate candidate);
/// One of the outputs alone, and where there are more, all except one.
std::vector<Edit> keep_one_output(Candidate candidate);
/// A value that depends on fewer nodes than there are becomes the only output, the first values
/// first, and all else falls out.
std::vector<Edit> end_earlier(Candidate candidate);

/// A value that a node makes becomes an input of the model, which is given what REFERENCE computes
/// in each run: its extents are open, or known where all runs have the same. The last values first.
std::vector<Edit> cut_into_inputs(Candidate candidate);
/// A value that a node makes becomes an initializer, where there is one run.
std::vector<Edit> cut_into_constants(Candidate candidate);

/// What reads an output of a node reads one of its inputs instead, in every graph.
std::vector<Edit> bypass_nodes(Candidate candidate);
/// A node that makes nothing that is read falls out, in every graph.
std::vector<Edit> drop_nodes(Candidate candidate);
/// A node that makes an output of its graph becomes the Identity of one of its inputs.
std::vector<Edit> replace_nodes(Candidate candidate);

/// An output of an If, a Loop or a Scan that nothing reads falls out, and a value that a Scan walks
/// in vain. In the body, a loop-carried value is what it was at the start.
std::vector<Edit> drop_results(Candidate candidate);
/// A Loop without a trip count gets one, so that it ends when its condition was replaced.
std::vector<Edit> count_iterations(Candidate candidate);
/// One branch of an If replaces it.
std::vector<Edit> inline_branches(Candidate candidate);
/// The first iteration of a Loop or a Scan replaces it.
std::vector<Edit> inline_iterations(Candidate candidate);
/// A node of a body that reads nothing of the body moves before it.
std::vector<Edit> hoist_nodes(Candidate candidate);

}  // namespace rondo::test
