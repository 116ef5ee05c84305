// SPDX-License-Identifier: MIT
// The levels of a texture: options that commands share, and how levels are made: by the pyramid's
// kernels, or by the processor where a filter, normals or a coverage ask for more than these do.
#pragma once

#include <stddef.h>

#include "capture/files/picture/picture.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/program.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/gpu/taps.h"

struct cli_level_options {
    int filter, edge; // enum cli_filter and cli_edge
    double coverage;  // least alpha of texels that are kept; 0: alpha stays as it is
    struct weir_picture_changes changes;
};

extern const char *const cli_filter_names[], *const cli_edge_names[]; // end with NULL

// Entries of a table of options. `type` has the field `struct cli_level_options level`.
// clang-format off
#define CLI_OPTIONS_LEVEL(type)                                                                    \
    {"filter", CLI_CHOICE, offsetof(type, level.filter), "NAME",                                   \
     .help = "filter of the mip levels (box)", .choices = cli_filter_names},                       \
    {"edge", CLI_CHOICE, offsetof(type, level.edge), "NAME",                                       \
     .help = "kaiser, mitchell: which texels follow behind an edge (clamp)",                       \
     .choices = cli_edge_names, .is_rare = true},                                                  \
    {"normals", CLI_FLAG, offsetof(type, level.changes.normals),                                   \
     .help = "RGB are vectors, which have the length 1 in every level"},                           \
    {"flip-green", CLI_FLAG, offsetof(type, level.changes.flip_green),                             \
     .help = "turn green round: normals of Direct3D become those of OpenGL", .is_rare = true},     \
    {"swizzle", CLI_TEXT, offsetof(type, level.changes.swizzle), "RGBA",                           \
     .help = "sources of the channels, one to four of r, g, b, a, 0, 1", .is_rare = true},         \
    {"alpha-coverage", CLI_REAL, offsetof(type, level.coverage), "T",                              \
     .help = "keep the share of texels of alpha T [0.001 .. 1] or more at every level",            \
     .is_rare = true, .real_min = 0.001, .real_max = 1},                                           \
    {"bleed", CLI_FLAG, offsetof(type, level.changes.bleed),                                       \
     .help = "texels of alpha 0 get the colour of the visible one fewest steps away",              \
     .is_rare = true}
// clang-format on

// Check what holds for every command. Says what is wrong.
enum cli_status cli_level_options_check(const struct cli_level_options *options);

// Change a picture before its levels are made. Says what is wrong; `name` is the picture's.
enum weir_result cli_level_options_apply(const struct cli_level_options *options, const char *name,
                                         struct weir_picture *picture);

// Check that a picture of this size has so many levels. Says what is wrong.
enum weir_result cli_levels_check_num(uint32_t num, const char *name, uint32_t width,
                                      uint32_t height);

// True if the processor makes the levels.
bool cli_levels_by_host(const struct cli_level_options *options);

// What they take beside the picture, for each of its texels [bytes].
uint32_t cli_levels_texel_size(const struct cli_level_options *options);

// Make the levels of a pyramid whose level 0 was uploaded, and which is by_host where
// cli_levels_by_host() is true. Each is made of the one before as it was before it was rounded.
// Colours are weighted by alpha where its reduction is WEIR_PYRAMID_ALPHA_MEAN. `is_signed`:
// normals are stored as -1 .. 1. Prints the reason of a failure.
enum weir_result cli_levels_make(struct cli_pyramid *run, const struct cli_level_options *options,
                                 bool is_signed);
