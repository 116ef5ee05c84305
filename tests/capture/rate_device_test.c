// SPDX-License-Identifier: MIT
// A capture with a rate, on a device: a scene that goes from flat to noise and back, of one texture
// and of two. Each two seconds of the noise have the rate, neighbours are much alike, and what the
// statistics say is so.
#include <weir/capture.h>

#include <math.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "fixture.h"
#include "testing.h"

// Times are those of frames that are handed over as fast as they are taken.
enum { WIDTH = 64, HEIGHT = 40, FPS = 60, NUM_PICTURES = 2 };
enum { FIRST_NOISE = 2 * FPS + 20, FIRST_FLAT = FIRST_NOISE + 3 * FPS };
enum { NUM_FRAMES = FIRST_FLAT + FPS / 2, WINDOW = 2 * FPS, SEARCH = FPS * 6 / 10 };
#define TOLERANCE 0.03
#define MAX_STEP 0.5 // [dB]

struct picture {
    uint8_t rgba[WIDTH * HEIGHT][4];
    struct fixture_image image;
};

static double draw(void)
{
    return (double)(test_random() % 1000001) / 1e6;
}

// One colour, or noise.
static void draw_picture(bool is_noisy, struct picture *picture)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int c = 0; c < 4; c++) {
            const double noise = draw() + draw() + draw() + draw() - 2;
            picture->rgba[i][c] = (uint8_t)(120.5 + (is_noisy ? 7 * noise : 0));
        }
    }
}

static void picture_init(struct harness *h, bool is_noisy, struct picture *picture)
{
    draw_picture(is_noisy, picture);
    fixture_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT,
                       picture->rgba, 4, &picture->image);
}

// What a capture gave. The decibels of a frame are what the statistics gain by it, which is known
// when the next one comes.
struct given {
    weir_capture *capture;
    uint64_t rate; // 80 % of the blocks: of HAP Q, as 100 MB/s of 1920x1080
    uint32_t num;
    uint64_t sizes[NUM_FRAMES];
    double sums[NUM_FRAMES + 1]; // of the decibels of the frames before
};

static double sum_of(const struct weir_quality_stats *quality)
{
    return quality->mean_db * (double)quality->frames;
}

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    struct given *given = user;
    const uint32_t index = given->num++;
    if (test_expect(index < NUM_FRAMES, "packet %u", index)) {
        const struct weir_capture_stats stats = weir_capture_get_stats(given->capture);
        given->sizes[index] = packet->size;
        given->sums[index] = sum_of(&stats.quality);
    }
    return WEIR_OK;
}

static bool is_noise(int index)
{
    return index >= FIRST_NOISE && index < FIRST_FLAT;
}

static void run(struct harness *h, const struct picture *pictures, enum weir_movie_codec codec,
                struct given *given, struct weir_capture_stats *stats)
{
    *given = (struct given){.rate = weir_movie_codec_frame_size(codec, WIDTH, HEIGHT) * FPS * 8 /
                                    10};
    const struct weir_capture_params *params =
        weir_capture_params(.sink = WEIR_SINK_CALLBACK, .codec = codec,
                            .encoding = {.effort = WEIR_EFFORT_FAST},
                            .rate = {.bytes_per_second = given->rate,
                                     .compression = WEIR_COMPRESSION_SNAPPY},
                            .policy = WEIR_POLICY_WAIT,
                            .callbacks = {.packet = accept_packet, .user = given},
                            .like = pictures[0].image.image);
    const enum weir_result opened = weir_capture_open(h->context, params, &given->capture);
    if (!test_expect(opened == WEIR_OK, "open: %s", weir_result_name(opened))) {
        return;
    }
    for (int i = 0; i < NUM_FRAMES; i++) {
        fixture_send_image(h, given->capture, &pictures[is_noise(i)].image,
                           (int64_t)i * 1000000000 / FPS);
    }
    TEST_OK(weir_capture_close(&given->capture, stats));
    given->sums[NUM_FRAMES] = sum_of(&stats->quality);
}

static void check_windows(const struct given *given)
{
    for (int begin = WINDOW; begin + WINDOW <= NUM_FRAMES; begin++) {
        uint64_t bytes = 0;
        for (int i = begin; i < begin + WINDOW; i++) {
            bytes += given->sizes[i];
        }
        const double share = (double)bytes / (2.0 * (double)given->rate);
        const bool is_whole = is_noise(begin) && is_noise(begin + WINDOW - 1);
        test_expect(share <= 1 + TOLERANCE && (!is_whole || share >= 1 - TOLERANCE),
                    "two seconds from frame %d on have %.4f of the rate", begin, share);
    }
}

static void check_steps(const struct given *given)
{
    for (int i = FPS / 2; i < NUM_FRAMES; i++) {
        const double db = given->sums[i + 1] - given->sums[i];
        const double before = given->sums[i] - given->sums[i - 1];
        const bool is_behind = (i >= FIRST_NOISE && i < FIRST_NOISE + SEARCH) ||
                               (i >= FIRST_FLAT && i < FIRST_FLAT + SEARCH);
        test_expect(is_behind || fabs(db - before) <= MAX_STEP, "frame %d has %.3f dB after %.3f",
                    i, db, before);
    }
}

// `num_lines`: in the log, of captures up to this one.
static void check_stats(const struct harness *h, const struct given *given,
                        const struct weir_capture_stats *stats, int num_lines)
{
    const struct weir_quality_stats *quality = &stats->quality;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < given->num; i++) {
        bytes += given->sizes[i];
    }
    test_expect(given->num == NUM_FRAMES && quality->frames == NUM_FRAMES && stats->bytes == bytes,
                "%u packets, %llu frames, %llu bytes of %llu", given->num,
                (unsigned long long)quality->frames, (unsigned long long)stats->bytes,
                (unsigned long long)bytes);
    test_expect(quality->most == 100 && quality->least < 80 && quality->least >= 1 &&
                    quality->last >= quality->least && quality->last <= 100,
                "quality %.2f, %.2f to %.2f", quality->last, quality->least, quality->most);
    test_expect(quality->rate_short >= FIRST_NOISE - 10 && quality->rate_short < NUM_FRAMES &&
                    quality->rate_over == 0,
                "%llu frames were short of the rate, %llu over",
                (unsigned long long)quality->rate_short, (unsigned long long)quality->rate_over);
    test_expect(h->log_codes[WEIR_LOG_CODE_RATE] == num_lines, "%d lines in the log",
                h->log_codes[WEIR_LOG_CODE_RATE]);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    static struct picture pictures[NUM_PICTURES];
    for (int i = 0; i < NUM_PICTURES; i++) {
        picture_init(&h, i == 1, &pictures[i]);
    }
    static const enum weir_movie_codec codecs[] = {WEIR_MOVIE_CODEC_HAP_Q,
                                                   WEIR_MOVIE_CODEC_HAP_Q_ALPHA};
    for (int i = 0; i < 2; i++) {
        static struct given given;
        struct weir_capture_stats stats = {0};
        run(&h, pictures, codecs[i], &given, &stats);
        check_windows(&given);
        check_steps(&given);
        check_stats(&h, &given, &stats, i + 1);
    }
    for (int i = 0; i < NUM_PICTURES; i++) {
        fixture_image_finish(&h, &pictures[i].image);
    }
    test_expect(harness_finish(&h) == 0, "the device has no complaints");
    return test_finish();
}
