// The binary interface of LADSPA 1.1, in which hosts load audio plugins: what a host and a plugin
// must agree on. The names are Rondo's; tests compare sizes, places and values with Debian's
// header.
#pragma once

namespace rondo::ladspa {

// A port is one of the first two and one of the last two.
inline constexpr int kInputPort = 1;
inline constexpr int kOutputPort = 2;
inline constexpr int kControlPort = 4;  ///< one number
inline constexpr int kAudioPort = 8;    ///< as many samples as a call of run() says

// What a host may know of a port's values.
inline constexpr int kBoundedBelow = 0x1;
inline constexpr int kBoundedAbove = 0x2;
inline constexpr int kIsInteger = 0x20;
inline constexpr int kDefaultIsMaximum = 0x140;

struct PortRange {
    int hints;
    float lower;
    float upper;
};

/// One kind of plugin. A library's only symbol is `ladspa_descriptor(unsigned long)`, which gives
/// the descriptor of that number, or null after the last one. A host makes instances, connects each
/// port to its own memory, activates an instance and runs it block by block.
struct Descriptor {
    unsigned long id;   ///< below 2^24
    const char* label;  ///< by which users name it, without blanks
    int properties;     ///< 0: input and output may be the same memory
    const char* name;   ///< for people
    const char* maker;
    const char* copyright;
    unsigned long port_count;
    const int* ports;
    const char* const* port_names;
    const PortRange* port_ranges;
    const void* data;  ///< the plugin's own
    /// Null if there can't be one.
    void* (*instantiate)(const Descriptor*, unsigned long rate);
    void (*connect_port)(void* instance, unsigned long port, float* memory);
    void (*activate)(void* instance);
    void (*run)(void* instance, unsigned long samples);
    void (*run_adding)(void* instance, unsigned long samples);  ///< optional: null
    void (*set_run_adding_gain)(void* instance, float gain);    ///< optional: null
    void (*deactivate)(void* instance);                         ///< optional: null
    void (*cleanup)(void* instance);
};

}  // namespace rondo::ladspa
