// Draws spectrograms, one below the other: time to the right, 0 to 8 kHz upwards, 80 dB.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Writes a PNG file of 16 colours. Throws std::runtime_error if it can't be written.
void draw(const std::string& path, const std::vector<std::vector<float>>& sounds, std::size_t rate);
