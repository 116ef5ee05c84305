// SPDX-License-Identifier: MIT
// Options that several commands have, and the codecs and efforts by their names there.
#pragma once

#include <weir/encode.h>
#include <weir/movie.h>

#include "capture/files/source/source.h"
#include "capture/weir/common/options.h"

// The codecs of movies: their names, as a list of choices, and the facts of the one of that index.
const char *cli_movie_codec_choice(int index);
const struct weir_movie_codec_info *cli_movie_codec(int index);
extern const struct cli_hint cli_movie_codec_hints[];

// The FourCC of a codec of movies, as text.
struct cli_fourcc {
    char text[5];
};
struct cli_fourcc cli_fourcc_of(uint32_t tag); // a number as of WEIR_BOX(), with _ for odd letters
struct cli_fourcc cli_movie_codec_fourcc(const struct weir_movie_codec_info *codec);

extern const char *const cli_effort_names[]; // by enum weir_effort; ends with NULL
// Those of movies: what they are called, and are. Every codec of movies has them.
extern const char *const cli_movie_effort_names[]; // ends with NULL
extern const enum weir_effort cli_movie_efforts[];
extern const struct cli_hint cli_movie_effort_hints[];
extern const char *const cli_decoder_names[]; // by enum weir_decoder_model; ends with NULL

extern const char *const cli_compression_names[]; // by enum weir_compression; ends with NULL

uint32_t cli_sync_ms(double seconds); // of --sync, for weir_capture_params

extern const char *const cli_profile_names[]; // of those of enum weir_profile that are asked for

// Get how pictures are read, by the options of a command; `layer` may be NULL. `is_data`: the
// values are no colours.
struct weir_still_params cli_still_params(const char *layer, int profile, bool is_data);

// Get the memory that a command may take: `num_copies` and `texel_size` as there, the limit as
// asked for, or, with 0, three quarters of the machine's memory.
struct weir_memory_use cli_memory_use(uint64_t asked, uint32_t num_copies, uint32_t texel_size);

// Entries of a table of options. `type` is the struct that is parsed into; it has the field `int
// codec`, `uint64_t device`, `bool json`, `const char *layer`, `uint64_t max_memory`, `int
// profile`, `uint64_t quality`, `bool quiet`, `bool validation`. `text`: the help.
// clang-format off
#define CLI_OPTION_CODEC(type)                                                                     \
    {"codec", CLI_CHOICE, offsetof(type, codec), "NAME",                                           \
     .help = "format of HAP (hap_q)", .choice = cli_movie_codec_choice,                            \
     .hints = cli_movie_codec_hints}
#define CLI_OPTION_DEVICE(type)                                                                    \
    {"device", CLI_NUMBER, offsetof(type, device), "N",                                            \
     .help = "the device, as weir info numbers them (0)", .max = 1000}
#define CLI_OPTION_JSON(type)                                                                      \
    {"json", CLI_FLAG, offsetof(type, json), .help = "print JSON"}
#define CLI_OPTION_LAYER(type)                                                                     \
    {"layer", CLI_TEXT, offsetof(type, layer), "NAME",                                             \
     .help = "OpenEXR: the layer or channel that is read (the first of colours)", .is_rare = true}
#define CLI_OPTION_MAX_MEMORY(type)                                                                \
    {"max-memory", CLI_BYTES, offsetof(type, max_memory), "SIZE",                                  \
     .help = "refuse larger pictures, such as 2G (three quarters of the memory)", .is_rare = true}
#define CLI_OPTION_PROFILE(type)                                                                   \
    {"profile", CLI_CHOICE, offsetof(type, profile), "NAME",                                       \
     .help = "convert colours to sRGB by the profile of INPUT, or ignore it", .is_rare = true,     \
     .choices = cli_profile_names}
#define CLI_OPTION_QUALITY(type, text)                                                             \
    {"quality", CLI_NUMBER, offsetof(type, quality), "N", .help = text, .min = 1, .max = 100}
#define CLI_OPTION_QUIET(type)                                                                     \
    {"quiet", CLI_FLAG, offsetof(type, quiet), .help = "no progress and no line at the end"}
#define CLI_OPTION_VALIDATION(type)                                                                \
    {"validation", CLI_FLAG, offsetof(type, validation),                                           \
     .help = "run under Vulkan's validation layer", .is_rare = true}
// clang-format on
