// SPDX-License-Identifier: MIT
// The objects of a run: made of any params, picked, destroyed.
#include "tests/fuzz/api/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_IMAGES = 64 }; // of a target

struct objects objects;

int objects_pick(void **table)
{
    const uint8_t kind = draw_u8();
    const int place = kind % MAX_OBJECTS;
    return kind < 248 && !table[place] ? 0 : place;
}

const weir_image *objects_like(VkFormat wanted)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        if (weir_image_get_params(objects.images[i]).format == wanted && draw_u8() < 240) {
            return objects.images[i];
        }
    }
    return OBJECTS_PICK(images);
}

// A place for a new object: one that is free, else NULL.
static void **free_place(void **table)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        if (!table[i]) {
            return &table[i];
        }
    }
    return NULL;
}

// Make an object, where a place is free for it.
#define CREATE(table, type, call)                                                                  \
    do {                                                                                           \
        void **place = free_place((void **)objects.table);                                         \
        if (place) {                                                                               \
            type *object = (type *)&objects;                                                       \
            const unsigned before = fuzz_num_errors();                                             \
            const enum weir_result result = call;                                                  \
            expect_made(result, object, before);                                                   \
            *place = object;                                                                       \
        }                                                                                          \
    } while (0)

void objects_create_image(void)
{
    const struct weir_image_params params =
        TEST_LIST(.image = DRAW_HANDLE(VkImage), .format = draw_format(), .width = draw_side(),
                  .height = draw_side(), .levels = draw_mostly(draw_u8() % 3),
                  .layers = draw_mostly(draw_u8() % 3), .usage = draw_usage(),
                  .flags = draw_u8() % 2 ? 0 : ~0u, .concurrent = draw_u8() % 2,
                  .transfer = (enum weir_transfer)draw_mostly(0));
    CREATE(images, weir_image, weir_image_create(objects.context, &params, &object));
}

void objects_create_buffer(void)
{
    const struct weir_buffer_params params = {
        .buffer = DRAW_HANDLE(VkBuffer),
        .offset = draw_u8() < 244 ? 0 : draw_large(),
        .size = draw_u8() < 244 ? 1 << 16 : draw_large(),
    };
    CREATE(buffers, weir_buffer, weir_buffer_create(objects.context, &params, &object));
}

void objects_create_encoder(void)
{
    const struct weir_encoder_params params =
        TEST_LIST(.codec = (enum weir_codec)draw_mostly(draw_u8() % 20),
                  .decoder = (enum weir_decoder_model)draw_mostly(0),
                  .effort = (enum weir_effort)draw_mostly(draw_u8() % 3),
                  .like = OBJECTS_PICK(images), .bc1_black = draw_u8() % 32 == 0,
                  .bc1_dither = draw_u8() % 32 == 0, .bc4_alpha = draw_u8() % 32 == 0,
                  .bc6h_log = draw_u8() % 32 == 0, .bc7_alpha_unread = draw_u8() % 32 == 0,
                  .steady = draw_u8() % 32 == 0,
                  .proxy_like = draw_u8() % 8 == 0 ? OBJECTS_PICK(images) : NULL,
                  .proxy_level = draw_u8() % 16 == 0 ? draw_u8() % 4u : 0);
    CREATE(encoders, weir_encoder, weir_encoder_create(objects.context, &params, &object));
}

void objects_create_rdo(void)
{
    const struct weir_rdo_params params =
        TEST_LIST(.codec = (enum weir_codec)draw_mostly(draw_u8() % 4 == 0 ? WEIR_CODEC_BC7
                                                                           : draw_u8() % 6),
                  .quality = draw_mostly(draw_u8() % 101), .like = OBJECTS_PICK(images),
                  .no_dither = draw_u8() % 2, .bc4_alpha = draw_u8() % 32 == 0,
                  .bc7_alpha_unread = draw_u8() % 32 == 0, .steady = draw_u8() % 8 == 0,
                  .control = draw_u8() % 2);
    CREATE(rdos, weir_rdo, weir_rdo_create(objects.context, &params, &object));
}

void objects_create_snappy(void)
{
    const struct weir_snappy_params params = {
        .size = draw_u8() < 244 ? UINT64_C(8) * draw_u8() : draw_large(),
        .num_chunks = draw_mostly(draw_u8() % 3),
        .least_saved = draw_mostly(draw_u8()),
    };
    CREATE(snappies, weir_snappy, weir_snappy_create(objects.context, &params, &object));
}

void objects_create_readback(void)
{
    const struct weir_readback_params params =
        TEST_LIST(.size = draw_u8() < 240 ? UINT64_C(1) + draw_u8() : draw_large(),
                  .num_slots = draw_mostly(draw_u8() % 4 + 2), .headroom = draw_mostly(0),
                  .first_size = draw_u8() < 244 ? 0 : draw_number(), .gap = draw_mostly(0),
                  .history_size = draw_mostly(draw_u8()),
                  .direct_size = draw_u8() < 192 ? 0 : draw_large(),
                  .control_size = draw_u8() % 2 ? draw_mostly(draw_u8()) : 0);
    CREATE(readbacks, weir_readback, weir_readback_create(objects.context, &params, &object));
}

void objects_create_palette(void)
{
    const bool live = draw_u8() % 4 == 0; // which goes with few of the others
    const struct weir_palette_params params =
        TEST_LIST(.like = OBJECTS_PICK(images),
                  .weight = (enum weir_palette_weight)draw_mostly(live ? 1 : draw_u8() % 2),
                  .light = (enum weir_palette_light)draw_mostly(draw_u8() % 2),
                  .method = (enum weir_palette_method)draw_mostly(live ? 1 : draw_u8() % 2),
                  .dither = (enum weir_palette_dither)draw_mostly(live ? 0 : draw_u8() % 3),
                  .metric = (enum weir_palette_metric)draw_mostly(live ? 0 : draw_u8() % 2),
                  .max_colors = draw_mostly(live ? 0 : 1), .table = draw_u8() % 2, .live = live,
                  .no_merge = draw_u8() % 2);
    CREATE(palettes, weir_palette, weir_palette_create(objects.context, &params, &object));
}

void objects_create_pyramid(void)
{
    uint32_t words[16] = {0x07230203};
    const bool is_custom = draw_u8() % 32 == 0;
    for (int i = 1; i < 16 && is_custom; i++) {
        words[i] = draw_u8() < 128 ? (uint32_t)draw_u8() << 16 | draw_u8() : draw_number();
    }
    const struct weir_pyramid_params params =
        TEST_LIST(.method = (enum weir_pyramid_method)draw_mostly(draw_u8() % 7),
                  .reduction = is_custom ? WEIR_PYRAMID_CUSTOM
                                         : (enum weir_pyramid_reduction)draw_mostly(draw_u8() % 6),
                  .format = draw_format(),
                  .source_format = draw_u8() < 192 ? VK_FORMAT_UNDEFINED : draw_format(),
                  .max_images = draw_mostly(draw_u8() % 8),
                  .precision = (enum weir_pyramid_precision)draw_mostly(draw_u8() % 3),
                  .no_subgroups = draw_u8() % 2, .kernel = is_custom ? words : NULL,
                  .kernel_size = is_custom ? draw_number() % (sizeof(words) + 1) : draw_mostly(0));
    CREATE(pyramids, weir_pyramid, weir_pyramid_create(objects.context, &params, &object));
}

void objects_create_target(void)
{
    const weir_pyramid *pyramid = OBJECTS_PICK(pyramids);
    if (!pyramid) {
        return; // without it no log can be reached
    }
    const struct weir_pyramid_params of_pyramid = weir_pyramid_get_params(pyramid);
    uint32_t num_images = draw_mostly(draw_u8() % 2);
    if (num_images > MAX_IMAGES && num_images <= of_pyramid.max_images) {
        num_images = MAX_IMAGES;
    }
    // More images than the pyramid takes are refused before they are read.
    const size_t num_given = num_images > MAX_IMAGES ? 1 : num_images > 0 ? num_images : 1;
    const weir_image **images = malloc(num_given * sizeof(*images));
    fuzz_expect(images, "memory");
    const weir_image *image = objects_like(of_pyramid.format);
    const weir_image *source = objects_like(of_pyramid.source_format);
    for (size_t i = 0; i < num_given; i++) {
        images[i] = draw_u8() < 250 ? image : OBJECTS_PICK(images);
    }
    const weir_image *sources[MAX_IMAGES];
    for (int i = 0; i < MAX_IMAGES; i++) {
        sources[i] = source;
    }
    const struct weir_pyramid_target_params params =
        TEST_LIST(.images = images, .num_images = num_images, .first_level = draw_mostly(0),
                  .last_level = draw_mostly(0),
                  .sources = of_pyramid.source_format && draw_u8() < 240 ? sources : NULL,
                  .source_layout = (VkImageLayout)draw_mostly(0));
    CREATE(targets, weir_pyramid_target, weir_pyramid_target_create(pyramid, &params, &object));
    free(images);
}

static char folder[] = "/tmp/weir-fuzz-XXXXXX";

static void remove_folder(void)
{
    rmdir(folder);
}

// A folder of the process has the movies. It goes with it.
static const char *take_path(void)
{
    static char path[64];
    if (!path[0]) {
        fuzz_expect(mkdtemp(folder) && atexit(remove_folder) == 0, "a folder");
        snprintf(path, sizeof(path), "%s/take.mov", folder);
    }
    return path;
}

static void remove_takes(uint64_t num_segments)
{
    char path[64];
    unlink(take_path());
    snprintf(path, sizeof(path), "%s/take.mov.json", folder);
    unlink(path);
    for (unsigned i = 1; i <= num_segments; i++) {
        snprintf(path, sizeof(path), "%s/take.%03u.mov", folder, i);
        unlink(path);
    }
}

void objects_open_capture(void)
{
    const struct weir_audio_track track = {
        .sample_rate = draw_mostly(8000),
        .num_channels = draw_mostly(draw_u8() % 3 + 1),
        .format = (enum weir_sample_format)draw_mostly(draw_u8() % 4),
    };
    const uint8_t drawn = draw_u8();
    const enum weir_sink sink = drawn < 236   ? WEIR_SINK_NULL
                                : drawn < 244 ? WEIR_SINK_MOV
                                              : WEIR_SINK_CALLBACK;
    const struct weir_capture_params params =
        TEST_LIST(.sink = sink, .codec = (enum weir_movie_codec)draw_mostly(draw_u8() % 8),
                  .encoding = {.effort = (enum weir_effort)draw_mostly(0)},
                  .rate = {.compression = (enum weir_compression)draw_mostly(draw_u8() % 2),
                           .quality = draw_u8() % 4 > 0 ? 0 : draw_mostly(60),
                           .bytes_per_second = draw_u8() % 4 > 0 ? 0 : draw_large(),
                           .num_chunks = draw_mostly(draw_u8() % 4),
                           .packing = (enum weir_packing)draw_mostly(draw_u8() % 3)},
                  .policy = (enum weir_policy)draw_mostly(draw_u8() % 3),
                  .on_resize = (enum weir_resize)draw_mostly(draw_u8() % 4),
                  .num_slots = draw_mostly(draw_u8() % 4 + 2), .like = OBJECTS_PICK(images),
                  .timing = {.frame_rate = {draw_mostly(30), draw_mostly(1)},
                             .constant_rate = draw_u8() % 4 == 0,
                             .timecode = draw_u8() % 4 > 0   ? NULL
                                         : draw_u8() % 4 > 0 ? "23:59:59:29"
                                                             : "",
                             .max_rate = {draw_mostly(0), draw_mostly(0)}},
                  .audio = {.tracks = &track,
                            .num_tracks = draw_u8() % 2,
                            .buffer_ms = draw_u8() % 2 ? 0 : 200},
                  .replay = {.length_ms = draw_u8() % 4 ? 0 : draw_mostly(1000),
                             .max_bytes = 1 + draw_u8() * UINT64_C(65536)},
                  .movie = {.sidecar = draw_u8() == 255, .sync_ms = WEIR_SYNC_NEVER},
                  .path = sink == WEIR_SINK_MOV ? take_path() : NULL,
                  .segments = {.enable = sink == WEIR_SINK_MOV ? draw_u8() < 200 : draw_u8() > 250,
                               .length_ms = draw_u8() > 250 ? draw_number() : 0,
                               .max_bytes = draw_u8() > 250 ? draw_number() : 0});
    CREATE(captures, weir_capture, weir_capture_open(objects.context, &params, &object));
}

void objects_close_capture(void)
{
    weir_capture **capture = &OBJECTS_PICK(captures);
    struct weir_capture_stats stats;
    expect_known(draw_u8() % 2 ? weir_capture_close(capture, &stats)
                               : weir_capture_close_at(capture, (int64_t)draw_large(), &stats));
    if (stats.segments > 0) {
        remove_takes(stats.segments);
    }
    const struct weir_audio_stats *audio = &stats.audio;
    fuzz_expect(audio->in_flight == 0 &&
                    audio->received + audio->silence == audio->written + audio->dropped,
                "every sample of a closed capture is counted");
    fuzz_expect(!*capture && stats.in_flight == 0 &&
                    stats.received == stats.written + stats.dropped + stats.skipped,
                "every frame of a closed capture is counted");
}

void objects_destroy(void)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        struct weir_capture_stats stats;
        if (objects.captures[i]) {
            weir_capture_close(&objects.captures[i], &stats);
            remove_takes(stats.segments);
        }
        weir_readback_destroy(&objects.readbacks[i]);
        weir_pyramid_target_destroy(&objects.targets[i]);
    }
    for (int i = 0; i < MAX_OBJECTS; i++) {
        weir_pyramid_destroy(&objects.pyramids[i]);
        weir_palette_destroy(&objects.palettes[i]);
        weir_encoder_destroy(&objects.encoders[i]);
        weir_rdo_destroy(&objects.rdos[i]);
        weir_snappy_destroy(&objects.snappies[i]);
        weir_buffer_destroy(&objects.buffers[i]);
        weir_image_destroy(&objects.images[i]);
    }
    weir_context_destroy(&objects.context);
}
