#include "tests/support/case_writer.hpp"

#include <exception>
#include <iostream>
#include <string>

#include "core/support/strings.hpp"

namespace rondo::test {

std::optional<CaseRange> seed_range(const Arguments& arguments) {
    long long first = 0;
    long long count = 0;
    if (arguments.size() != 3 || !parse_int(arguments[1], first) ||
        !parse_int(arguments[2], count) || first < 0 || count < 0) {
        return std::nullopt;
    }
    return CaseRange{arguments[0], static_cast<std::uint64_t>(first),
                     static_cast<std::uint64_t>(count)};
}

void write_seeds(const CaseRange& range,
                 const std::function<void(const std::filesystem::path&, std::uint64_t)>& write) {
    for (std::uint64_t i = 0; i < range.count; ++i) {
        const std::uint64_t seed = range.first + i;
        write(range.folder / ("seed_" + std::to_string(seed)), seed);
    }
}

int run_writer(const char* program, const char* usage, int argc, char** argv,
               const std::function<bool(const Arguments&)>& run) {
    try {
        const Arguments arguments(argv + 1, argv + argc);
        const bool wants_help = arguments == Arguments{"--help"};
        if (!wants_help && run(arguments)) return 0;
        std::cout << usage;
        return wants_help ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << program << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace rondo::test
