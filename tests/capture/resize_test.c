// SPDX-License-Identifier: MIT
// Frames that change their size and format: with segments each kind begins one, and nothing of a
// frame, of sound or of the host's points is lost; without segments they are refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "capture/stream/state.h"
#include "fixture.h"
#include "movies.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

// Of Weir's own calls, while it says so.
static bool has_no_memory;
void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_calloc(size_t num, size_t size)
{
    return has_no_memory ? NULL : __real_calloc(num, size);
}

// With a sanitizer each change takes long, which has the driver read a kernel again.
enum { NUM_KINDS = 4, NUM_FRAMES = SANITIZED_STRIDE > 1 ? 20 : 60, LATE = 6 };
static const int64_t FRAME_NS = 1000000000 / 60;

static const struct {
    VkFormat format;
    uint32_t width, height, texel_size;
} kinds[NUM_KINDS] = {
    {VK_FORMAT_R8G8B8A8_UNORM, FIXTURE_WIDTH, FIXTURE_HEIGHT, 4},
    {VK_FORMAT_R8G8B8A8_UNORM, 33, 17, 4},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, FIXTURE_WIDTH, FIXTURE_HEIGHT, 4},
    {VK_FORMAT_R8G8B8A8_UNORM, 128, 96, 4},
};

struct resizing {
    struct fixture fixture;
    enum weir_packing packing;
    struct fixture_image images[NUM_KINDS];
    char hashes[NUM_KINDS][33]; // of the packets of frames of each kind
};

static void resizing_init(struct resizing *resizing, bool shared)
{
    static uint8_t content[128 * 96 * 4];
    fixture_init(&resizing->fixture, shared);
    resizing->packing = shared ? WEIR_PACKING_CPU : WEIR_PACKING_GPU;
    for (int i = 0; i < NUM_KINDS; i++) {
        test_random_bytes(content, sizeof(content));
        // A quarter that Snappy makes smaller: less than 8 % saved would let the processor rest.
        memset(content, 0x55, (size_t)kinds[i].width * kinds[i].height * kinds[i].texel_size / 4);
        fixture_image_init(&resizing->fixture.harness, kinds[i].format, kinds[i].width,
                           kinds[i].height, VK_IMAGE_USAGE_SAMPLED_BIT, content,
                           kinds[i].texel_size, &resizing->images[i]);
    }
}

static void resizing_finish(struct resizing *resizing)
{
    for (int i = 0; i < NUM_KINDS; i++) {
        fixture_image_finish(&resizing->fixture.harness, &resizing->images[i]);
    }
    fixture_finish(&resizing->fixture);
}

static enum weir_result present(struct resizing *resizing, weir_capture *capture, int kind,
                                int64_t time_ns)
{
    weir_image *own = resizing->fixture.image;
    resizing->fixture.image = resizing->images[kind].image;
    const enum weir_result result = fixture_present(&resizing->fixture, capture, time_ns);
    resizing->fixture.image = own;
    return result;
}

static struct weir_capture_params params_for(struct resizing *resizing, int kind, const char *path)
{
    struct weir_capture_params params = fixture_params(&resizing->fixture, path, WEIR_SINK_MOV);
    params.like = resizing->images[kind].image;
    params.num_slots = 3;
    params.codec = WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY; // whose kernel is compiled soonest
    params.encoding.effort = WEIR_EFFORT_FAST;
    params.rate.compression = WEIR_COMPRESSION_SNAPPY;
    params.rate.packing = resizing->packing;
    return params;
}

// What a movie of one kind alone has.
static void learn_hashes(struct resizing *resizing)
{
    static struct movies movies;
    for (int i = 0; i < NUM_KINDS; i++) {
        const char *path = test_path("kind.mov");
        const struct weir_capture_params params = params_for(resizing, i, path);
        weir_capture *capture = fixture_open(&resizing->fixture, &params);
        test_expect(present(resizing, capture, i, 0) == WEIR_OK, "kind %d alone", i);
        fixture_expect_end(capture, WEIR_OK, 1, 0);
        movies_append(&movies, path, 0);
        snprintf(resizing->hashes[i], sizeof(resizing->hashes[i]), "%s", movies.frames[0].hash);
        movies_finish(&movies);
        unlink(path);
    }
}

static int num_old(const weir_capture *capture)
{
    int num = 0;
    for (const struct weir_encoding *old = capture->encodings.old; old; old = old->next) {
        num++;
    }
    return num;
}

// FFmpeg decodes each segment, in the size of its kind.
static void expect_size(const char *path, int kind)
{
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    const AVCodecParameters *codec = frames->facts ? frames->facts->codecpar : NULL;
    test_expect(codec && codec->width == (int)kinds[kind].width &&
                    codec->height == (int)kinds[kind].height,
                "%s: %dx%d", path, codec ? codec->width : 0, codec ? codec->height : 0);
    reference_expect_frames("size", path, (int)frames->num_packets);
    reference_close(&reference);
}

static void expect_segments(struct resizing *resizing, const char *path, const int *shown,
                            const uint8_t *sound)
{
    static struct movies movies;
    movies_append_segments(&movies, path, 1);
    test_expect(movies.num_frames == NUM_FRAMES && movies.duration == NUM_FRAMES * 1500,
                "%d frames, %lld ticks", movies.num_frames, (long long)movies.duration);
    for (int i = 0; i < movies.num_frames; i++) {
        test_expect(movies.frames[i].time == i * 1500 &&
                        strcmp(movies.frames[i].hash, resizing->hashes[shown[i]]) == 0,
                    "frame %d at %lld: kind %d, %s", i, (long long)movies.frames[i].time, shown[i],
                    movies.frames[i].hash);
    }
    test_expect(movies.sound_size[0] == NUM_FRAMES * 1600 &&
                    memcmp(movies.sound[0], sound, movies.sound_size[0]) == 0,
                "%zu bytes of sound", movies.sound_size[0]);
    movies_finish(&movies);
}

static void hand_sound(weir_capture *capture, const uint8_t *sound, int i)
{
    weir_capture_audio(capture, 0, sound + (size_t)i * 1600, 800, i * FRAME_NS);
}

// Kinds that change at random, now and then with each frame. Sound comes late.
static void test_changes(struct resizing *resizing)
{
    static const struct weir_audio_track track = {.sample_rate = 48000, .num_channels = 1};
    static uint8_t sound[NUM_FRAMES * 1600];
    int shown[NUM_FRAMES], num_segments = 0;
    const char *path = test_path("changes.mov");
    struct weir_capture_params params = params_for(resizing, 0, path);
    params.segments.enable = true;
    params.audio.tracks = &track;
    params.audio.num_tracks = 1;
    test_random_bytes(sound, sizeof(sound));
    weir_capture *capture = fixture_open(&resizing->fixture, &params);
    struct weir_point first = {VK_NULL_HANDLE, 0};
    for (int i = 0; i < NUM_FRAMES; i++) {
        const bool changes = i > 0 && (i % 20 > 14 || test_random() % 8 == 0);
        shown[i] = i == 0 ? 0 : changes ? (int)(test_random() % NUM_KINDS) : shown[i - 1];
        num_segments += i == 0 || shown[i] != shown[i - 1];
        if (i >= LATE) {
            hand_sound(capture, sound, i - LATE);
        }
        test_expect(present(resizing, capture, shown[i], i * FRAME_NS) == WEIR_OK, "frame %d", i);
        test_expect(num_old(capture) <= 3, "%d old kinds", num_old(capture));
        first = i == 0 ? resizing->fixture.released : first;
    }
    for (int i = NUM_FRAMES - LATE; i < NUM_FRAMES; i++) {
        hand_sound(capture, sound, i);
    }
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &first.semaphore,
                                      .pValues = &first.value};
    test_expect(vkWaitSemaphores(resizing->fixture.harness.vk, &wait, 0) == VK_SUCCESS,
                "the first frame's point is still valid");
    struct weir_capture_stats stats;
    TEST_OK(weir_capture_close(&capture, &stats));
    fixture_expect_sum(&stats);
    test_expect(stats.written == NUM_FRAMES && stats.segments == (uint64_t)num_segments,
                "%llu segments, not %d", (unsigned long long)stats.segments, num_segments);
    for (int number = 1, i = 0; number <= num_segments; number++) {
        expect_size(segment_path(path, number), shown[i]);
        const int kind = shown[i];
        while (i < NUM_FRAMES && shown[i] == kind) {
            i++;
        }
    }
    expect_segments(resizing, path, shown, sound);
}

// Without segments, and of a format that no kernel reads: the frame is refused, and may come again.
static void test_refused(struct resizing *resizing)
{
    struct harness *harness = &resizing->fixture.harness;
    static const uint8_t content[16 * 8 * 8];
    for (int with = 0; with < 2; with++) {
        struct weir_capture_params params = params_for(resizing, 0, test_path("refused.mov"));
        params.segments.enable = with;
        weir_capture *capture = fixture_open(&resizing->fixture, &params);
        test_expect(present(resizing, capture, 0, 0) == WEIR_OK, "a first frame");
        const struct fixture_image own = resizing->images[1];
        fixture_image_init(harness, VK_FORMAT_R32G32_SFLOAT, 16, 8, VK_IMAGE_USAGE_SAMPLED_BIT,
                           content, 8, &resizing->images[1]);
        const enum weir_result want = with ? WEIR_ERROR_UNSUPPORTED : WEIR_ERROR_INVALID;
        const enum weir_result got = present(resizing, capture, 1, FRAME_NS);
        test_expect(got == want, "no kernel reads it: %s", weir_result_name(got));
        fixture_image_finish(harness, &resizing->images[1]);
        resizing->images[1] = own;
        test_expect(present(resizing, capture, 1, FRAME_NS) ==
                        (with ? WEIR_OK : WEIR_ERROR_INVALID),
                    "another size");
        test_expect(present(resizing, capture, 0, 2 * FRAME_NS) == WEIR_OK, "it goes on");
        fixture_expect_end(capture, WEIR_OK, with ? 3 : 2, 0);
        unlink(test_path("refused.mov"));
    }
}

// The GPU is held up while kinds change: frames without a slot are dropped, no kind is freed that
// it still uses, and none is kept that nobody does.
static void test_held_up(struct resizing *resizing)
{
    VkSemaphore gate = fixture_make_gate(&resizing->fixture);
    struct weir_capture_params params = params_for(resizing, 0, test_path("held.mov"));
    params.segments.enable = true;
    params.policy = WEIR_POLICY_DROP;
    weir_capture *capture = fixture_open(&resizing->fixture, &params);
    for (int i = 0; i < 12; i++) {
        struct weir_frame frame = fixture_frame(&resizing->fixture, i * FRAME_NS);
        frame.image = resizing->images[i % NUM_KINDS].image;
        frame.wait = (struct weir_point){.semaphore = gate, .value = 1};
        const enum weir_result result = weir_capture_frame(capture, &frame, NULL);
        test_expect(result == (i < 3 ? WEIR_OK : WEIR_DROPPED), "held up: frame %d: %s", i,
                    weir_result_name(result));
        test_expect(num_old(capture) <= 2, "held up: %d old kinds", num_old(capture));
    }
    fixture_open_gate(&resizing->fixture, gate);
    while (weir_capture_get_stats(capture).in_flight > 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    vkQueueWaitIdle(resizing->fixture.harness.host.queue);
    test_expect(present(resizing, capture, 0, 20 * FRAME_NS) == WEIR_OK, "it goes on");
    test_expect(num_old(capture) <= 1, "held up: %d old kinds are kept", num_old(capture));
    fixture_expect_end(capture, WEIR_OK, 4, 9);
    fixture_close_gate(&resizing->fixture, gate);
    for (int number = 1; number <= 4; number++) {
        unlink(segment_path(test_path("held.mov"), number));
    }
}

int main(void)
{
    static struct resizing resizing;
    for (int shared = 0; shared < 2; shared++) {
        resizing_init(&resizing, shared);
        test_refused(&resizing);
        if (shared) {
            test_held_up(&resizing);
        }
        learn_hashes(&resizing);
        test_changes(&resizing);
        resizing_finish(&resizing);
    }
    return test_finish();
}
