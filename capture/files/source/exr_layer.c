// SPDX-License-Identifier: MIT
// The layers of an OpenEXR file: channels whose names begin alike, up to the last dot. Their
// luminance and chroma become colours.
#include "capture/files/source/exr_layer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "capture/files/source/scale.h"

enum { MAX_CHANNELS = 1024 }; // that are looked at, of a part

struct search {
    const char *wanted; // "": the first of colours
    struct weir_exr_layer *found;
    bool has_found;
    char others[WEIR_REASON_SIZE / 2]; // the names of other layers
    // The part that is looked at.
    int part, num_channels;
    const exr_attr_chlist_entry_t *channels;
    const char *part_name; // one of several; else ""
};

// Get what follows the layer's name in a channel's.
static const char *own_name(const exr_attr_chlist_entry_t *channel)
{
    const char *dot = strrchr(channel->name.str, '.');
    return dot ? dot + 1 : channel->name.str;
}

static bool is_same_layer(const exr_attr_chlist_entry_t *a, const exr_attr_chlist_entry_t *b)
{
    const size_t size = (size_t)(own_name(a) - a->name.str);
    return size == (size_t)(own_name(b) - b->name.str) &&
           strncmp(a->name.str, b->name.str, size) == 0;
}

// What a channel is, by its name. The first four are those of a frame.
enum { LUMA = 4, RED_CHROMA, BLUE_CHROMA, VECTOR, NUM_ROLES };

static int role_of(const exr_attr_chlist_entry_t *channel)
{
    static const char *const names[NUM_ROLES] = {"R", "G", "B", "A", "Y", "RY", "BY", "X"};
    int role = 0;
    while (role < NUM_ROLES && strcasecmp(own_name(channel), names[role]) != 0) {
        role++;
    }
    return role;
}

static void set_channels(struct weir_exr_layer *layer, int red, int green, int blue, int alpha)
{
    const int channels[4] = {red, green, blue, alpha};
    memcpy(layer->channels, channels, sizeof(channels));
}

// Colours, or luminance, or else up to three channels in their order, as numbers.
static void set_roles(struct weir_exr_layer *layer, const int roles[NUM_ROLES + 1],
                      const int *numbers, int num_numbers)
{
    const bool has_rgb = roles[0] >= 0 || roles[1] >= 0 || roles[2] >= 0;
    const bool has_luma = roles[LUMA] >= 0 && roles[VECTOR] < 0;
    layer->has_colours = has_rgb || has_luma;
    if (has_rgb) {
        set_channels(layer, roles[0], roles[1], roles[2], roles[WEIR_EXR_ALPHA]);
    } else if (has_luma) {
        layer->has_chroma = roles[RED_CHROMA] >= 0 && roles[BLUE_CHROMA] >= 0;
        layer->is_grey = !layer->has_chroma;
        set_channels(layer, layer->has_chroma ? roles[RED_CHROMA] : -1, roles[LUMA],
                     layer->has_chroma ? roles[BLUE_CHROMA] : -1, roles[WEIR_EXR_ALPHA]);
    } else if (num_numbers > 1) {
        set_channels(layer, numbers[0], numbers[1], num_numbers > 2 ? numbers[2] : -1, -1);
    } else {
        layer->is_grey = true;
        set_channels(layer, -1, num_numbers > 0 ? numbers[0] : roles[WEIR_EXR_ALPHA], -1, -1);
    }
}

// Make the layer of which a channel is the first.
static struct weir_exr_layer make_layer(const struct search *search, int first)
{
    struct weir_exr_layer layer = {.part = search->part};
    int roles[NUM_ROLES + 1], numbers[MAX_CHANNELS], num_numbers = 0;
    const exr_attr_chlist_entry_t *channel = &search->channels[first];
    const int length = (int)(own_name(channel) - channel->name.str);
    snprintf(layer.name, sizeof(layer.name), "%.*s", length > 0 ? length - 1 : 255,
             length > 0 ? channel->name.str : search->part_name);
    memset(roles, -1, sizeof(roles));
    for (int i = first; i < search->num_channels; i++) {
        if (is_same_layer(&search->channels[i], channel)) {
            const int role = role_of(&search->channels[i]);
            roles[role] = i;
            if (role != WEIR_EXR_ALPHA) {
                numbers[num_numbers++] = i;
            }
        }
    }
    set_roles(&layer, roles, numbers, num_numbers);
    return layer;
}

static void note_other(struct search *search, const struct weir_exr_layer *layer)
{
    const size_t length = strlen(search->others);
    const int first = layer->channels[WEIR_EXR_GREEN];
    const char *name = layer->name[0] != 0 || layer->has_colours ? layer->name
                                                                 : search->channels[first].name.str;
    if (name[0] != 0) {
        snprintf(search->others + length, sizeof(search->others) - length, "%s%s",
                 length > 0 ? ", " : "", name);
    }
}

// Keep a layer if it is the one that is asked for. Of those of colours one without a name is first.
static void consider(struct search *search, const struct weir_exr_layer *layer)
{
    struct weir_exr_layer *found = search->found;
    const bool goes_before = search->has_found && found->part == layer->part &&
                             found->name[0] != 0 && layer->name[0] == 0;
    const bool is_right = search->wanted[0] != 0
                              ? !search->has_found && strcmp(layer->name, search->wanted) == 0
                              : layer->has_colours && (!search->has_found || goes_before);
    if (!is_right || search->has_found) {
        note_other(search, is_right ? found : layer);
    }
    if (is_right) {
        *found = *layer;
        search->has_found = true;
    }
}

static void look_at_part(struct search *search)
{
    for (int i = 0; i < search->num_channels; i++) {
        const exr_attr_chlist_entry_t *channel = &search->channels[i];
        if (!search->has_found && strcmp(channel->name.str, search->wanted) == 0) {
            *search->found = (struct weir_exr_layer){.part = search->part};
            set_channels(search->found, -1, i, -1, -1);
            search->found->is_grey = search->has_found = true;
        }
        bool is_first = true;
        for (int k = 0; k < i && is_first; k++) {
            is_first = !is_same_layer(channel, &search->channels[k]);
        }
        if (is_first) {
            const struct weir_exr_layer layer = make_layer(search, i);
            consider(search, &layer);
        }
    }
}

// Go through the flat parts. Returns their number.
static int look(struct search *search, exr_const_context_t file)
{
    int num_parts = 0, num_flat = 0;
    exr_get_count(file, &num_parts);
    for (int i = 0; i < num_parts; i++) {
        exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
        const exr_attr_chlist_t *channels = NULL;
        const char *name = NULL;
        exr_get_storage(file, i, &storage);
        exr_get_name(file, i, &name);
        if ((storage == EXR_STORAGE_SCANLINE || storage == EXR_STORAGE_TILED) &&
            exr_get_channels(file, i, &channels) == EXR_ERR_SUCCESS) {
            search->part = i;
            search->num_channels = FFMIN(channels->num_channels, MAX_CHANNELS);
            search->channels = channels->entries;
            search->part_name = num_parts > 1 && name ? name : "";
            look_at_part(search);
            num_flat++;
        }
    }
    return num_flat;
}

// Only chroma may have fewer samples: half of them in both directions.
static bool has_right_samples(exr_const_context_t file, struct weir_exr_layer *layer)
{
    const exr_attr_chlist_t *channels = NULL;
    exr_get_channels(file, layer->part, &channels);
    bool is_right = true;
    for (int c = 0; c < 4; c++) {
        const exr_attr_chlist_entry_t *channel = channels->entries + layer->channels[c];
        if (layer->channels[c] >= 0) {
            const bool is_small = layer->has_chroma && channel->x_sampling == 2 &&
                                  (c == WEIR_EXR_RED ||
                                   (c == WEIR_EXR_BLUE && layer->has_small_chroma));
            const int step = is_small ? 2 : 1;
            layer->has_small_chroma |= is_small;
            is_right = is_right && channel->x_sampling == step && channel->y_sampling == step;
        }
    }
    return is_right;
}

enum weir_result weir_exr_layer_find(exr_const_context_t file,
                                     const struct weir_still_request *request,
                                     struct weir_exr_layer *layer, char reason[WEIR_REASON_SIZE])
{
    struct search search = {.wanted = request->params->layer, .found = layer};
    const char *wanted = search.wanted, *others = search.others;
    if (look(&search, file) == 0) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it is deep, with several samples a texel; flatten it "
                 "first, with oiiotool --flatten");
    } else if (!search.has_found && wanted[0] != 0) {
        snprintf(reason, WEIR_REASON_SIZE, "it has no layer or channel %.60s%s%s", wanted,
                 others[0] != 0 ? ", but " : "", others);
    } else if (!search.has_found) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it has no colours, but %s; --layer NAME reads one as numbers", others);
    } else if (!has_right_samples(file, layer)) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it has channels of fewer samples, which are read of "
                 "chroma (RY, BY) by halves alone");
    } else {
        if (wanted[0] == 0 && others[0] != 0) {
            weir_log_printf(request->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                            "%s: its layer %s is read; others, for --layer: %s", request->path,
                            layer->name[0] != 0 ? layer->name : "without a name", others);
        }
        return WEIR_OK;
    }
    return WEIR_ERROR_UNSUPPORTED;
}

// Luminance and chroma. Chroma of half the sides is linear between its samples.

// Get a sample of every other one, between the nearest.
static float between(const float *row, const float *below, int x, int width)
{
    const int right = FFMIN((x + 1) / 2, (width - 1) / 2);
    return (row[x / 2] + row[right] + below[x / 2] + below[right]) / 4;
}

// Chroma has half of the sides, and lies in the first quarter of its plane. From the last texel on
// none is overwritten that is needed.
static void widen_chroma(const AVFrame *frame, int channel)
{
    for (int y = frame->height - 1; y >= 0; y--) {
        const float *row = weir_float_row(frame, channel, y / 2);
        const float *below = weir_float_row(frame, channel,
                                            FFMIN((y + 1) / 2, (frame->height - 1) / 2));
        for (int x = frame->width - 1; x >= 0; x--) {
            weir_float_row(frame, channel, y)[x] = between(row, below, x, frame->width);
        }
    }
}

// Y is a weighted sum of R, G and B; the others are (R - Y) / Y and (B - Y) / Y.
static void make_colours(const AVFrame *frame)
{
    static const float red_weight = 0.2126f, green_weight = 0.7152f, blue_weight = 0.0722f;
    for (int y = 0; y < frame->height; y++) {
        float *red = weir_float_row(frame, WEIR_EXR_RED, y),
              *green = weir_float_row(frame, WEIR_EXR_GREEN, y);
        float *blue = weir_float_row(frame, WEIR_EXR_BLUE, y);
        for (int x = 0; x < frame->width; x++) {
            const float luma = green[x];
            red[x] = (red[x] + 1) * luma;
            blue[x] = (blue[x] + 1) * luma;
            green[x] = (luma - red_weight * red[x] - blue_weight * blue[x]) / green_weight;
        }
    }
}

static void spread_grey(const AVFrame *frame)
{
    const size_t size = (size_t)frame->width * sizeof(float);
    for (int y = 0; y < frame->height; y++) {
        memcpy(weir_float_row(frame, WEIR_EXR_RED, y), weir_float_row(frame, WEIR_EXR_GREEN, y),
               size);
        memcpy(weir_float_row(frame, WEIR_EXR_BLUE, y), weir_float_row(frame, WEIR_EXR_GREEN, y),
               size);
    }
}

void weir_exr_make_colours(const struct weir_exr_layer *layer, const AVFrame *frame)
{
    if (layer->has_small_chroma) {
        widen_chroma(frame, WEIR_EXR_RED);
        widen_chroma(frame, WEIR_EXR_BLUE);
    }
    if (layer->has_chroma) {
        make_colours(frame);
    } else if (layer->is_grey) {
        spread_grey(frame);
    }
}
