// Reads a NumPy array file (.npy, format 1.0, C order, little-endian) into a vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T>
struct NpyArray {
    std::vector<std::size_t> shape;
    std::vector<T> values;  ///< row-major, as many as the shape says
};

template <typename T>
constexpr const char* npy_type();
template <>
constexpr const char* npy_type<float>() {
    return "<f4";
}
template <>
constexpr const char* npy_type<std::int64_t>() {
    return "<i8";
}

/// Throws std::runtime_error that names the file and its fault. The machine must be
/// little-endian, as the file is.
template <typename T>
NpyArray<T> read_npy(const std::string& path) {
    const auto require = [&path](bool holds, const std::string& problem) {
        if (!holds) throw std::runtime_error(path + ": " + problem);
    };
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), "cannot be opened");
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};

    // "\x93NUMPY", major, minor, two bytes of header length, a Python dictionary, the elements.
    constexpr std::size_t kPreamble = 10;
    require(bytes.compare(0, 6, "\x93NUMPY") == 0, "is not a NumPy .npy file");
    require(bytes.size() >= kPreamble && bytes[6] == 1, "has another format version than 1.0");
    const auto byte = [&bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    const std::size_t start = kPreamble + byte(8) + 256u * byte(9);
    require(bytes.size() >= start, "ends inside its header");
    const std::string header = bytes.substr(kPreamble, start - kPreamble);
    const auto says = [&header](const std::string& text) {
        return header.find(text) != std::string::npos;
    };
    const std::string type = npy_type<T>();
    require(says("'descr': '" + type + "'"), "has elements of another type; expected " + type);
    require(says("'fortran_order': False"), "is in Fortran order; expected C order");
    require(says("'shape': ("), "has no shape in its header");

    NpyArray<T> array;
    std::size_t count = 1;
    const std::size_t room = (bytes.size() - start) / sizeof(T);
    const char* digit = header.c_str() + header.find("'shape': (") + 10;
    for (; *digit != ')' && *digit != '\0'; ++digit) {
        if (*digit < '0' || *digit > '9') continue;
        char* end = nullptr;
        array.shape.push_back(std::strtoul(digit, &end, 10));
        require(array.shape.back() == 0 || count <= room / array.shape.back(),
                "ends before its last element");
        count *= array.shape.back();
        digit = end - 1;
    }
    require(count * sizeof(T) == bytes.size() - start, "has bytes after its last element");
    const auto* elements = bytes.data() + start;
    array.values.resize(count);
    std::copy(elements, elements + count * sizeof(T), reinterpret_cast<char*>(array.values.data()));
    return array;
}
