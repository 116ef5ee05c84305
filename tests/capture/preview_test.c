// SPDX-License-Identifier: MIT
// Previews as a host gets them: the picture of each frame that is due is its texels' means, of any
// format, codec and packing; and a callback that sleeps costs pictures, and no frame.
#include <weir/blocks.h>
#include <weir/readback.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/base/small_float.h"
#include "fixture.h"
#include "testing.h"
#include "tests/ref/bc1_decode.h"
#include "tests/ref/texel.h"

enum { NUM_FRAMES = 7, NUM_IMAGES = 2, STEP_NS = 16666667, BEGIN_NS = 777 };

struct host {
    uint32_t width, height; // of frames
    uint32_t part;          // of each side: a texel of a picture is that many of the frame, squared
    uint32_t every;
    VkFormat format;
    int64_t next_ns;
    atomic_int num;
    unsigned sleep_ms; // of each call
};

// A channel of a texel of a frame's image, 0 .. 1: slopes, which go down or to the right.
static double texel(uint32_t image, double x, double y, int channel)
{
    const double along = (image == 0 ? x : y) / 256;
    return channel == 0 ? 0.3 + along : channel == 1 ? 0.4 + along / 2 : 0.95 - along;
}

static bool is_half(const struct host *host)
{
    return host->format == VK_FORMAT_R16G16B16A16_SFLOAT;
}

static void expect_blocks(const struct host *host, uint32_t image,
                          const struct weir_preview_picture *picture)
{
    const uint32_t columns = (picture->width + 3) / 4, part = host->part;
    double worst = 0;
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint32_t x = 0; x < picture->width; x++) {
            uint8_t rgb[16][3];
            const uint32_t block = y / 4 * columns + x / 4;
            ref_bc1_decode_ffmpeg((const uint8_t *)picture->blocks + (size_t)block * 8, rgb);
            for (int c = 0; c < 3; c++) { // a slope's mean is the texel in the middle
                const double middle = (part - 1) * 0.5;
                const double want = texel(image, x * part + middle, y * part + middle, c);
                const double code = is_half(host) ? ref_srgb_encode(want) : want;
                const double error = rgb[y % 4 * 4 + x % 4][c] - 255 * code;
                worst = error * error > worst * worst ? error : worst;
            }
        }
    }
    test_expect(worst * worst < 8 * 8, "a texel of the picture is off by %.1f codes", worst);
}

static void show(void *user, const struct weir_preview_picture *picture)
{
    struct host *host = user;
    const uint32_t part = host->part;
    test_expect(picture->width == host->width / part && picture->height == host->height / part,
                "a picture of %ux%u", picture->width, picture->height);
    if (host->sleep_ms > 0) {
        nanosleep(&(struct timespec){.tv_nsec = host->sleep_ms * 1000000L}, NULL);
    } else {
        test_expect(picture->time_ns == host->next_ns, "a picture of %lld in place of %lld",
                    (long long)picture->time_ns, (long long)host->next_ns);
        expect_blocks(host, (uint32_t)((host->next_ns - BEGIN_NS) / STEP_NS % NUM_IMAGES), picture);
        host->next_ns += (int64_t)host->every * STEP_NS;
    }
    atomic_fetch_add(&host->num, 1);
}

// Codes of 8 bits, or half floats.
static void draw(uint32_t image, const struct host *host, void *texels)
{
    const bool is_bgra = host->format == VK_FORMAT_B8G8R8A8_UNORM;
    uint8_t *bytes = texels;
    uint16_t *halves = texels;
    for (uint32_t i = 0; i < host->width * host->height * 4; i++) {
        const uint32_t x = i / 4 % host->width, y = i / 4 / host->width;
        const int channel = is_bgra && i % 4 != 3 ? 2 - (int)(i % 4) : (int)(i % 4);
        const double code = channel == 3 ? 1 : texel(image, x, y, channel);
        if (is_half(host)) {
            halves[i] = weir_half_from((float)code);
        } else {
            bytes[i] = (uint8_t)(code * 255 + 0.5);
        }
    }
}

struct choice {
    const char *name;
    VkFormat format;
    struct weir_capture_params params;
    uint32_t width, height, part;
};

static void test_choice(struct harness *harness, const struct choice *choice)
{
    struct host host = {.width = choice->width,
                        .height = choice->height,
                        .part = choice->part,
                        .format = choice->format};
    struct fixture_image images[NUM_IMAGES];
    void *texels = calloc((size_t)host.width * host.height, 8);
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        draw(i, &host, texels);
        fixture_image_init(harness, choice->format, host.width, host.height,
                           VK_IMAGE_USAGE_SAMPLED_BIT, texels, is_half(&host) ? 8 : 4, &images[i]);
    }
    struct weir_capture_params params = choice->params;
    host.every = params.preview.every > 0 ? params.preview.every : 1;
    host.next_ns = BEGIN_NS;
    params.sink = WEIR_SINK_NULL;
    params.policy = WEIR_POLICY_WAIT;
    params.num_slots = 2; // so that commands are kept and used again
    params.like = images[0].image;
    params.preview.show = show;
    params.preview.user = &host;
    weir_capture *capture = NULL;
    const enum weir_result opened = weir_capture_open(harness->context, &params, &capture);
    test_must(test_expect(opened == WEIR_OK, "%s: %s", choice->name, weir_result_name(opened)), "");
    for (int i = 0; i < NUM_FRAMES; i++) {
        const int want = atomic_load(&host.num) + (i % (int)host.every == 0);
        fixture_send_image(harness, capture, &images[i % NUM_IMAGES], BEGIN_NS + i * STEP_NS);
        while (atomic_load(&host.num) < want) { // else the next one would be left out
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    struct weir_capture_stats stats;
    test_expect(weir_capture_close(&capture, &stats) == WEIR_OK && stats.written == NUM_FRAMES,
                "%s: %llu frames", choice->name, (unsigned long long)stats.written);
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        fixture_image_finish(harness, &images[i]);
    }
    free(texels);
}

// In a slow callback's time all frames are recorded, and few have pictures.
static void test_slow(struct fixture *fixture)
{
    struct host host = {
        .width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .part = 2, .sleep_ms = 300};
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    params.preview = (struct weir_capture_preview_params){
        .show = show, .user = &host, .max_side = FIXTURE_WIDTH / 2};
    weir_capture *capture = fixture_open(fixture, &params);
    const int num = 100;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < num; i++) {
        test_expect(fixture_present(fixture, capture, i * STEP_NS) == WEIR_OK, "frame %d", i);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = (double)(end.tv_sec - begin.tv_sec) +
                           (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    fixture_expect_end(capture, WEIR_OK, (uint64_t)num, 0);
    const int shown = atomic_load(&host.num);
    test_expect(shown >= 1 && shown <= 2 + (int)(seconds / 0.3), "%d pictures in %.1f s", shown,
                seconds);
}

static void keep(void *user, void *owner)
{
    (void)user, (void)owner;
}

static void test_refused(struct fixture *fixture)
{
    const struct weir_capture_preview_params wrong[] = {{.show = show, .max_side = 4097},
                                                        {.show = show}};
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    weir_capture *capture = NULL;
    params.preview = wrong[0];
    test_expect(weir_capture_open(fixture->harness.context, &params, &capture) ==
                    WEIR_ERROR_INVALID,
                "sides of 4097");
    params = (struct weir_capture_params){.sink = WEIR_SINK_NULL, .preview = wrong[1]};
    const struct weir_blocks_params blocks = {.width = 4, .height = 4, .release = keep};
    test_expect(weir_capture_open_blocks(&blocks, &params, &capture) == WEIR_ERROR_INVALID,
                "pictures of blocks");
    weir_preview *preview = NULL;
    weir_preview_create(fixture->harness.context,
                        weir_preview_params(.like = fixture->image, .num_levels = 1), &preview);
    VkCommandBuffer cmd = harness_begin(&fixture->harness);
    struct weir_preview_run run = {.source = fixture->image, .commands = WEIR_SLOT_MAX_COMMANDS};
    test_expect(weir_cmd_preview(preview, cmd, &run) == WEIR_ERROR_INVALID, "too many commands");
    struct harness_storage storage;
    harness_storage_init(&fixture->harness, 4096, &storage);
    run = (struct weir_preview_run){.source = fixture->image, .buffer = storage.buffer};
    test_expect(weir_cmd_preview(preview, cmd, &run) == WEIR_ERROR_INVALID, "without pictures");
    weir_gpu_discard(fixture->harness.gpu, cmd);
    harness_storage_finish(&fixture->harness, &storage);
    weir_preview_destroy(&preview);
}

int main(void)
{
    static const struct choice choices[] = {
        {"whole", VK_FORMAT_R8G8B8A8_UNORM, {.codec = WEIR_MOVIE_CODEC_HAP}, 70, 46, 1},
        {"quarter",
         VK_FORMAT_B8G8R8A8_UNORM,
         {.codec = WEIR_MOVIE_CODEC_HAP_Q_ALPHA, .preview = {.max_side = 40, .every = 3}},
         140,
         100,
         4},
        {"light",
         VK_FORMAT_R16G16B16A16_SFLOAT,
         {.codec = WEIR_MOVIE_CODEC_HAP_HDR, .preview = {.max_side = 64}},
         128,
         72,
         2},
        {"sRGB", VK_FORMAT_R8G8B8A8_SRGB, {.preview = {.max_side = 64}}, 128, 72, 2},
        {"packed by the GPU",
         VK_FORMAT_R8G8B8A8_UNORM,
         {.rate = {.compression = WEIR_COMPRESSION_SNAPPY, .packing = WEIR_PACKING_GPU},
          .preview = {.max_side = 64, .every = 2}},
         128,
         72,
         2},
        {"packed by the processor, smaller",
         VK_FORMAT_R8G8B8A8_UNORM,
         {.rate = {.compression = WEIR_COMPRESSION_SNAPPY,
                   .packing = WEIR_PACKING_CPU,
                   .quality = 50},
          .encoding = {.steady = true},
          .preview = {.max_side = 64}},
         128,
         72,
         2},
    };
    struct fixture fixture;
    fixture_init(&fixture, false);
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        test_choice(&fixture.harness, &choices[i]);
    }
    test_slow(&fixture);
    test_refused(&fixture);
    fixture_finish(&fixture);
    return test_finish();
}
