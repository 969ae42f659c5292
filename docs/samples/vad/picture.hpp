// Draws what a voice detector found: the sound, the probability of speech, and its segments.
#pragma once

#include <string>
#include <vector>

/// Someone speaks from `begin` to `end`, in seconds.
struct Segment {
    double begin;
    double end;
};

/// Writes an SVG file. `probabilities`: one for each `chunk_seconds`. Throws std::runtime_error if
/// it can't be written.
void draw(const std::string& path, const std::vector<float>& samples,
          const std::vector<float>& probabilities, const std::vector<Segment>& segments,
          double chunk_seconds);
