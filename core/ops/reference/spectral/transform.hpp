// The discrete Fourier transform of one line, in double.
#pragma once

#include <complex>
#include <vector>

namespace rondo::reference {

using Spectrum = std::vector<std::complex<double>>;

/// y[k] = sum over i of x[i] e^(-2 pi j k i / n).
Spectrum transformed(const Spectrum& x);
/// y[k] = 1/n sum over i of x[i] e^(2 pi j k i / n).
Spectrum transformed_back(const Spectrum& x);

}  // namespace rondo::reference
