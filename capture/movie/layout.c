// SPDX-License-Identifier: MIT
// The layout of channels: where each is heard, and the box chan, which says it ("Audio Channel
// Layout Atom" of the QuickTime File Format).
#include <stdio.h>
#include <string.h>

#include "capture/movie/head.h"
#include "capture/movie/read.h"

// Of a layout: its channels follow one by one; the first 18 channels as a mask.
enum { BY_LABELS = 0, BY_BITMAP = 0x10000, BITMAP = (1 << 18) - 1 };

// Layouts that have a tag of their own, which more programs read.
static const struct {
    uint32_t layout, tag;
} tagged[] = {{0x004, 0x640001}, {0x003, 0x650002}, {0x70f, 0x7d0007}}; // mono, stereo, 6.1
enum { NUM_TAGGED = sizeof(tagged) / sizeof(tagged[0]) };

// The channels by their bits.
static const struct {
    const char *name;
    uint8_t label;
} channels[] = {{"FL", 1},   {"FR", 2},   {"FC", 3},   {"LFE", 4},  {"BL", 5},   {"BR", 6},
                {"FLC", 7},  {"FRC", 8},  {"BC", 9},   {"SL", 10},  {"SR", 11},  {"TC", 12},
                {"TFL", 13}, {"TFC", 14}, {"TFR", 15}, {"TBL", 16}, {"TBC", 17}, {"TBR", 18},
                {"DL", 38},  {"DR", 39},  {"WL", 35},  {"WR", 36}};
enum { NUM_CHANNELS = sizeof(channels) / sizeof(channels[0]), DESCRIPTION_SIZE = 20 };

uint32_t weir_layout_usual(uint32_t num_channels)
{
    static const uint32_t layouts[] = {
        [1] = 0x4,  [2] = 0x3,   [3] = 0xb,   [4] = 0x107,    [5] = 0x37,
        [6] = 0x3f, [7] = 0x70f, [8] = 0x63f, [16] = 0x33f737};
    return num_channels < sizeof(layouts) / sizeof(layouts[0]) ? layouts[num_channels] : 0;
}

bool weir_layout_fits(uint32_t layout, uint32_t num_channels)
{
    uint32_t num = 0;
    for (uint32_t left = layout; left != 0; left &= left - 1) {
        num++;
    }
    return layout == 0 || (num == num_channels && layout >> NUM_CHANNELS == 0);
}

void weir_layout_format(uint32_t layout, char text[WEIR_LAYOUT_TEXT])
{
    size_t size = 0;
    text[0] = 0;
    for (size_t i = 0; i < NUM_CHANNELS && size < WEIR_LAYOUT_TEXT; i++) {
        if (layout >> i & 1) {
            size += (size_t)snprintf(text + size, WEIR_LAYOUT_TEXT - size, "%s%s",
                                     size > 0 ? "+" : "", channels[i].name);
        }
    }
}

static void write_labels(struct weir_boxes *boxes, uint32_t layout)
{
    const size_t num = boxes->size;
    weir_boxes_u32(boxes, 0);
    for (uint32_t i = 0; i < NUM_CHANNELS; i++) {
        if (layout >> i & 1) {
            weir_boxes_u32(boxes, channels[i].label);
            weir_boxes_zeros(boxes, 4); // no coordinates
        }
    }
    weir_boxes_set_u32(boxes, num, (uint32_t)((boxes->size - num) / DESCRIPTION_SIZE));
}

void weir_layout_write(struct weir_boxes *boxes, uint32_t layout)
{
    uint32_t tag = layout <= BITMAP ? BY_BITMAP : BY_LABELS;
    for (size_t i = 0; i < NUM_TAGGED; i++) {
        tag = layout == tagged[i].layout ? tagged[i].tag : tag;
    }
    const size_t chan = weir_boxes_begin_full(boxes, "chan");
    weir_boxes_u32(boxes, tag);
    weir_boxes_u32(boxes, tag == BY_BITMAP ? layout : 0);
    write_labels(boxes, tag == BY_LABELS ? layout : 0);
    weir_boxes_end(boxes, chan);
}

static uint32_t read_labels(const uint8_t *bytes, uint32_t num)
{
    uint32_t layout = 0;
    for (uint32_t i = 0; i < num * NUM_CHANNELS; i++) {
        const uint32_t label = weir_boxes_read_u32(bytes + i / NUM_CHANNELS * DESCRIPTION_SIZE);
        layout |= label == channels[i % NUM_CHANNELS].label ? 1u << i % NUM_CHANNELS : 0;
    }
    return layout;
}

uint32_t weir_layout_read(struct weir_view *view, const struct weir_box *extensions)
{
    enum { SIZE = 16 };
    const uint8_t *bytes = weir_box_open(view, extensions, "chan", SIZE, NULL);
    const uint32_t tag = bytes ? weir_boxes_read_u32(bytes + 4) : 1;
    const uint32_t num = bytes ? weir_boxes_read_u32(bytes + 12) : 0;
    if (tag == BY_BITMAP) {
        const uint32_t bitmap = weir_boxes_read_u32(bytes + 8);
        return bitmap <= BITMAP ? bitmap : 0;
    }
    if (tag == BY_LABELS && num <= NUM_CHANNELS) {
        bytes = weir_box_open(view, extensions, "chan", SIZE + (size_t)num * DESCRIPTION_SIZE,
                              NULL);
        return bytes ? read_labels(bytes + SIZE, num) : 0;
    }
    for (size_t i = 0; i < NUM_TAGGED; i++) {
        if (tag == tagged[i].tag) {
            return tagged[i].layout;
        }
    }
    return 0;
}
