// SPDX-License-Identifier: MIT
// A palette that follows from frame to frame: its tables, and its frames.
#include "palette/palette.h"

#include "base/size.h"
#include "vk/barrier.h"

// Workgroups that fill a table of 4,096 blocks of bins. A workgroup a block would take the whole
// device before the first pixel is mapped; so many leave room for pixels, and are done before these
// are.
enum { FILL_GROUPS = 1024 };

static enum weir_result init_table(weir_context *context, const char *tag,
                                   struct weir_palette_live *live, uint32_t table)
{
    struct weir_vk_buffer *buffer = &live->tables[table];
    const uint64_t size = WEIR_PALETTE_LIVE_BINS * sizeof(uint32_t);
    WEIR_TRY(weir_vk_buffer_init(context, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                 WEIR_VK_MEMORY_SHARED, "palette table", tag, buffer));
    return weir_vk_buffer_set_init(context, buffer->buffer, 0, size, &live->sets[table]);
}

enum weir_result weir_palette_live_init(weir_context *context, const char *tag,
                                        struct weir_palette_live *live)
{
    for (uint32_t i = 0; i < 2; i++) {
        WEIR_TRY(init_table(context, tag, live, i));
    }
    return WEIR_OK;
}

void weir_palette_live_finish(weir_context *context, struct weir_palette_live *live)
{
    for (uint32_t i = 0; i < 2; i++) {
        weir_vk_descriptor_set_finish(context, &live->sets[i]);
        weir_vk_buffer_finish(context, &live->tables[i]);
    }
    *live = (struct weir_palette_live){0};
}

bool weir_palette_follows(const weir_palette *palette, const struct weir_palette_start *start)
{
    return palette->live.is_started && palette->push.num_means == start->num_colors;
}

// Get the side of squares of which an image has at most WEIR_PALETTE_MAX_LOOKED [texels].
static uint32_t spacing_of(uint32_t width, uint32_t height)
{
    uint32_t side = 1;
    while (weir_divide_up(width, side) * weir_divide_up(height, side) > WEIR_PALETTE_MAX_LOOKED) {
        side++;
    }
    return side;
}

static void record_look(const weir_palette *palette, VkCommandBuffer cmd,
                        const struct weir_palette_push *push,
                        const struct weir_palette_images *images)
{
    const uint32_t side = push->spacing * WEIR_PALETTE_LOOK_SIDE;
    weir_palette_record_beside(palette, cmd, WEIR_PALETTE_LIVE_LOOK, push, images,
                               weir_divide_up(push->size.x, side),
                               weir_divide_up(push->size.y, side));
}

static void record_fill(const weir_palette *palette, VkCommandBuffer cmd, uint32_t table,
                        struct weir_palette_images images)
{
    images.nearest = palette->live.sets[table].set;
    weir_palette_record_beside(palette, cmd, WEIR_PALETTE_LIVE_FILL, &palette->push, &images,
                               FILL_GROUPS, 1);
}

// Record that the host may read what moving has reported: the colours by which frames are mapped.
static void record_report(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_vk_barrier(palette->context, cmd, weir_vk_kernel_writes, weir_vk_host_reads);
}

// Record the mapping of a frame, and beside it what its phase has to do. Neither writes what the
// other reads.
static void record_frame(weir_palette *palette, VkCommandBuffer cmd,
                         struct weir_palette_images images)
{
    struct weir_palette_live *live = &palette->live;
    struct weir_palette_push push = palette->push;
    push.size = (uvec2){images.width, images.height};
    push.spacing = spacing_of(images.width, images.height);
    images.nearest = live->sets[live->table].set;
    weir_palette_record_barrier(palette, cmd);
    switch (live->phase) {
    case WEIR_PALETTE_LOOKS:
        record_look(palette, cmd, &push, &images);
        break;
    case WEIR_PALETTE_MOVES:
        weir_palette_record_beside(palette, cmd, WEIR_PALETTE_LIVE_MOVE, &push, &images, 1, 1);
        break;
    case WEIR_PALETTE_FILLS:
        record_fill(palette, cmd, 1 - live->table, images);
        break;
    }
    weir_palette_record_beside(
        palette, cmd, WEIR_PALETTE_LIVE_MAP, &push, &images,
        weir_divide_up(push.size.x, WEIR_PALETTE_TILE_WIDTH),
        weir_divide_up(push.size.y, WEIR_PALETTE_LIVE_TILES * WEIR_PALETTE_TILE_HEIGHT));
    if (live->phase == WEIR_PALETTE_MOVES) {
        record_report(palette, cmd);
    }
    live->table = live->phase == WEIR_PALETTE_FILLS ? 1 - live->table : live->table;
    live->phase = live->phase == WEIR_PALETTE_FILLS ? WEIR_PALETTE_LOOKS
                                                    : (enum weir_palette_phase)(live->phase + 1);
}

void weir_palette_record_live_first(weir_palette *palette, VkCommandBuffer cmd,
                                    struct weir_palette_images images)
{
    weir_vk_label_begin(palette->context, cmd, "palette live");
    // Nothing was looked at, so the colours stay, and there are as many as may be needed.
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_LOOKED, 0, VK_WHOLE_SIZE);
    weir_palette_record_barrier(palette, cmd);
    images.nearest = palette->live.sets[palette->live.table].set;
    weir_palette_record_beside(palette, cmd, WEIR_PALETTE_LIVE_MOVE, &palette->push, &images, 1, 1);
    record_report(palette, cmd);
    weir_palette_record_barrier(palette, cmd);
    record_fill(palette, cmd, palette->live.table, images);
    palette->live.phase = WEIR_PALETTE_LOOKS;
    palette->live.is_started = true;
    record_frame(palette, cmd, images);
    weir_vk_label_end(palette->context, cmd);
}

void weir_palette_record_live(weir_palette *palette, VkCommandBuffer cmd,
                              struct weir_palette_images images)
{
    weir_vk_label_begin(palette->context, cmd, "palette live");
    record_frame(palette, cmd, images);
    weir_vk_label_end(palette->context, cmd);
}
