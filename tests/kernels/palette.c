// SPDX-License-Identifier: MIT
// The kernels of palettes by k-means on the processor, in the order of src/palette/record.c and
// src/palette/live.c.
#include "tests/kernels/palette.h"

#include <stdlib.h>
#include <string.h>

#include "palette/palette.h"
#include "shaders/color/constants.h"
#include "tests/kernels/run.h"
#include "tests/ref/palette.h"

typedef void palette_kernel(const struct palette_call *call);
extern palette_kernel palette_means_plan, palette_means_place, palette_means_assign,
    palette_means_update, palette_means_choose, palette_means_publish, palette_map,
    palette_map_dither, palette_live_look, palette_live_move, palette_live_fill, palette_live_map;

enum { NUM_GROUPS = 4, LOOKED_SIZE = WEIR_PALETTE_MAX_MEANS * WEIR_PALETTE_LIVE_SUMS * 4 };

// Of a picture, as an image of R8G8B8A8_UNORM is fetched.
struct source {
    uint32_t width, height;
    float (*texels)[4];
};

struct means {
    uint32_t num, unused[7];
    uint32_t points[WEIR_PALETTE_MAX_MEANS][4]; // a colour is the last of its four
};

struct tables {
    uint32_t linear[WEIR_PALETTE_NUM_CODES], thresholds[WEIR_PALETTE_NUM_CODES];
    uint16_t noise[WEIR_PALETTE_NUM_NOISE];
};

struct kernel_palette {
    struct weir_palette_params params;
    uint32_t num_means, max_kept;
    void *memory[WEIR_PALETTE_NUM_SETS][WEIR_PALETTE_NUM_BINDINGS];
    uint32_t *control; // words, as WEIR_PALETTE_REPORT_* have them

    // Of one that follows: tables of nearest colours, and which of them frames are mapped by.
    uint32_t *nearest[2], table;
    bool is_started;
    enum { LOOKS, MOVES, FILLS } phase;
};

static void *allocate(struct kernel_palette *palette, uint32_t binding, size_t size)
{
    return palette->memory[WEIR_PALETTE_SET_MEMORY][binding] = calloc(1, size);
}

struct kernel_palette *kernel_palette_create(const struct weir_palette_params *params)
{
    struct kernel_palette *palette = calloc(1, sizeof(*palette));
    palette->params = *params;
    palette->params.table = params->table || params->live;
    palette->control = allocate(palette, WEIR_PALETTE_BINDING_CONTROL, WEIR_PALETTE_CONTROL_END);
    allocate(palette, WEIR_PALETTE_BINDING_BITS, WEIR_PALETTE_NUM_COLORS / 4);
    allocate(palette, WEIR_PALETTE_BINDING_BINS, WEIR_PALETTE_NUM_COLORS * 4);
    allocate(palette, WEIR_PALETTE_BINDING_MEANS, WEIR_PALETTE_MEANS_SIZE);
    allocate(palette, WEIR_PALETTE_BINDING_PARTIALS, NUM_GROUPS * 32);
    allocate(palette, WEIR_PALETTE_BINDING_LOOKED, LOOKED_SIZE);
    allocate(palette, WEIR_PALETTE_BINDING_REPORTS, WEIR_PALETTE_REPORT_END + sizeof(struct means));
    struct tables *tables = allocate(palette, WEIR_PALETTE_BINDING_TABLES, sizeof(*tables));
    ref_palette_get_light(params->light == WEIR_PALETTE_LIGHT_SRGB, tables->linear,
                          tables->thresholds);
    if (params->dither == WEIR_PALETTE_DITHER_BLUE_NOISE) {
        weir_palette_blue_noise(tables->noise);
    }
    for (int i = 0; i < 2; i++) {
        palette->nearest[i] = malloc(WEIR_PALETTE_LIVE_BINS * sizeof(uint32_t));
    }
    return palette;
}

void kernel_palette_destroy(struct kernel_palette *palette)
{
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        free(palette->memory[WEIR_PALETTE_SET_MEMORY][i]);
    }
    free(palette->nearest[0]);
    free(palette->nearest[1]);
    free(palette);
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static void dispatch(struct kernel_palette *palette, palette_kernel *kernel,
                     struct palette_call call)
{
    const uint32_t constants[] = {
        [WEIR_PALETTE_CONSTANT_SOURCE_KIND] = WEIR_SOURCE_CODES8,
        [WEIR_PALETTE_CONSTANT_TABLE] = palette->params.table,
        [WEIR_PALETTE_CONSTANT_FREQUENCY] = palette->params.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
        [WEIR_PALETTE_CONSTANT_OKLAB] = palette->params.metric == WEIR_PALETTE_METRIC_OKLAB,
        [WEIR_PALETTE_CONSTANT_PATTERN] = palette->params.dither, // which have the same numbers
        [WEIR_PALETTE_CONSTANT_NUM_GROUPS] = NUM_GROUPS,
    };
    memcpy(call.constants, constants, sizeof(constants));
    call.memory = palette->memory;
    call.num_means = palette->num_means;
    call.max_kept = palette->max_kept;
    kernel(&call);
}

// A kernel over colours or clusters.
static void run(struct kernel_palette *palette, palette_kernel *kernel, uint32_t num_groups)
{
    dispatch(palette, kernel,
             (struct palette_call){.groups = {num_groups, 1},
                                   .group_size = {WEIR_PALETTE_GROUP_SIZE, 1}});
}

// A kernel over pixels, of which a workgroup has tiles below each other.
static void run_pixels(struct kernel_palette *palette, palette_kernel *kernel, uint32_t num_tiles,
                       const struct source *source, uint8_t *out)
{
    dispatch(palette, kernel,
             (struct palette_call){
                 .groups = {divide_up(source->width, WEIR_PALETTE_TILE_WIDTH),
                            divide_up(source->height, num_tiles * WEIR_PALETTE_TILE_HEIGHT)},
                 .group_size = {WEIR_PALETTE_TILE_WIDTH, WEIR_PALETTE_TILE_HEIGHT},
                 .texels = (const float(*)[4])source->texels,
                 .width = source->width,
                 .height = source->height,
                 .out = out});
}

static struct source fetch(uint32_t width, uint32_t height, const uint8_t *rgba)
{
    const size_t num = (size_t)width * height;
    struct source source = {width, height, malloc(num * sizeof(*source.texels))};
    for (size_t i = 0; i < 4 * num; i++) {
        source.texels[i / 4][i % 4] = (float)rgba[i] / 255;
    }
    return source;
}

// The colours become buffers of the kernels.
static void count(struct kernel_palette *palette, size_t num_pixels, const uint8_t *rgba)
{
    void **memory = palette->memory[WEIR_PALETTE_SET_MEMORY];
    const uint8_t mask = palette->params.table ? 0xfc : 0xff;
    uint8_t *codes = malloc(4 * num_pixels);
    for (size_t i = 0; i < 4 * num_pixels; i++) {
        codes[i] = i % 4 < 3 ? (uint8_t)((rgba[i] & mask) | (~mask & 2)) : rgba[i];
    }
    free(memory[WEIR_PALETTE_BINDING_COLORS]);
    free(memory[WEIR_PALETTE_BINDING_COUNTS]);
    free(memory[WEIR_PALETTE_BINDING_POINTS]);
    memset(palette->control, 0, WEIR_PALETTE_CONTROL_END);
    ref_palette_count(codes, num_pixels, palette->control,
                      (uint32_t **)&memory[WEIR_PALETTE_BINDING_COLORS],
                      (uint32_t **)&memory[WEIR_PALETTE_BINDING_COUNTS]);
    allocate(palette, WEIR_PALETTE_BINDING_POINTS, 8 * ((size_t)palette->control[0] + 1));
    free(codes);
}

void kernel_palette_find(struct kernel_palette *palette, const struct weir_palette_start *start,
                         size_t num_pixels, const uint8_t *rgba)
{
    palette->num_means = start->num_colors;
    palette->max_kept = start->keep_rare ? start->num_colors / 8 : 0;
    count(palette, num_pixels, rgba);
    memset(palette->memory[WEIR_PALETTE_SET_MEMORY][WEIR_PALETTE_BINDING_BITS], 0,
           WEIR_PALETTE_NUM_COLORS / 4);
    run(palette, palette_means_plan, 1);
    run(palette, palette_means_place, NUM_GROUPS);
    while (palette->control[WEIR_PALETTE_REPORT_NUM_UNFINISHED / 4] > 0) {
        run(palette, palette_means_assign, NUM_GROUPS);
        run(palette, palette_means_update, 1);
    }
    run(palette, palette_means_choose, 1);
    run(palette, palette_means_publish, NUM_GROUPS);
}

void kernel_palette_map(struct kernel_palette *palette, uint32_t width, uint32_t height,
                        const uint8_t *rgba, uint8_t *out)
{
    const struct source source = fetch(width, height, rgba);
    run_pixels(palette, palette->params.dither ? palette_map_dither : palette_map, 1, &source, out);
    free(source.texels);
}

static void look(struct kernel_palette *palette, const struct source *source)
{
    const uint32_t side = WEIR_PALETTE_LOOK_SIDE;
    uint32_t spacing = 1;
    while (divide_up(source->width, spacing) * divide_up(source->height, spacing) >
           WEIR_PALETTE_MAX_LOOKED) {
        spacing++;
    }
    dispatch(palette, palette_live_look,
             (struct palette_call){.groups = {divide_up(source->width, spacing * side),
                                              divide_up(source->height, spacing * side)},
                                   .group_size = {side, side},
                                   .texels = (const float(*)[4])source->texels,
                                   .width = source->width,
                                   .height = source->height,
                                   .spacing = spacing});
}

static void fill(struct kernel_palette *palette)
{
    const uint32_t side = WEIR_PALETTE_LIVE_BLOCK;
    palette->memory[WEIR_PALETTE_SET_NEAREST][0] = palette->nearest[palette->table];
    dispatch(palette, palette_live_fill,
             (struct palette_call){.groups = {1, 1}, .group_size = {side * side * side, 1}});
}

static void start_frames(struct kernel_palette *palette)
{
    memset(palette->memory[WEIR_PALETTE_SET_MEMORY][WEIR_PALETTE_BINDING_LOOKED], 0, LOOKED_SIZE);
    run(palette, palette_live_move, 1);
    fill(palette);
    palette->phase = LOOKS;
    palette->is_started = true;
}

void kernel_palette_frame(struct kernel_palette *palette, const struct weir_palette_start *start,
                          bool anew, uint32_t width, uint32_t height, const uint8_t *rgba,
                          uint8_t *out)
{
    if (anew || !palette->is_started || palette->num_means != start->num_colors) {
        kernel_palette_find(palette, start, (size_t)width * height, rgba);
        start_frames(palette);
    }
    const struct source source = fetch(width, height, rgba);
    palette->memory[WEIR_PALETTE_SET_NEAREST][0] = palette->nearest[palette->table];
    run_pixels(palette, palette_live_map, WEIR_PALETTE_LIVE_TILES, &source, out);
    if (palette->phase == LOOKS) {
        look(palette, &source);
    } else if (palette->phase == MOVES) {
        run(palette, palette_live_move, 1);
    } else {
        palette->table = 1 - palette->table;
        fill(palette);
    }
    palette->phase = palette->phase == FILLS ? LOOKS : palette->phase + 1;
    free(source.texels);
}

uint32_t kernel_palette_get_colors(const struct kernel_palette *palette,
                                   uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS])
{
    void *const *memory = palette->memory[WEIR_PALETTE_SET_MEMORY];
    struct means means;
    memcpy(&means,
           palette->params.live
               ? (const uint8_t *)memory[WEIR_PALETTE_BINDING_REPORTS] + WEIR_PALETTE_REPORT_END
               : memory[WEIR_PALETTE_BINDING_MEANS],
           sizeof(means));
    for (uint32_t i = 0; i < means.num; i++) {
        colors[i] = means.points[i][3];
    }
    return means.num;
}

uint32_t kernel_palette_get_num_new_colors(const struct kernel_palette *palette)
{
    return palette->control[WEIR_PALETTE_REPORT_NUM_NEW_COLORS / 4];
}
