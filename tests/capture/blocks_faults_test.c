// SPDX-License-Identifier: MIT
// Movies of blocks, and what goes wrong: params and frames that are refused, no room, a sink that
// fails, and no memory.
#include <inttypes.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"
#include "testing.h"

enum { WIDTH = 24, HEIGHT = 12 };
static const int64_t FRAME_NS = 1000000000 / 60;

static struct recording host;

// Of Weir's own calls, while it says so.
static atomic_bool has_no_memory;
void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_calloc(size_t num, size_t size)
{
    return atomic_load(&has_no_memory) ? NULL : __real_calloc(num, size);
}

// A sink that waits for a gate in each packet, and fails after some.
struct sink {
    sem_t gate;
    bool has_gate;
    int num_good; // -1: all
    int num_packets;
};

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    struct sink *sink = user;
    (void)packet;
    if (sink->has_gate) {
        sem_wait(&sink->gate);
    }
    return sink->num_packets++ == sink->num_good ? WEIR_ERROR_DISK_FULL : WEIR_OK;
}

static struct weir_capture_params params_of(struct sink *sink)
{
    return (struct weir_capture_params){
        .codec = WEIR_MOVIE_CODEC_HAP_Q_ALPHA,
        .sink = WEIR_SINK_CALLBACK,
        .callbacks = {.packet = accept_packet, .user = sink},
        .policy = WEIR_POLICY_WAIT,
        .num_slots = 3,
    };
}

static void expect_refused(const char *what, const struct weir_blocks_params *blocks,
                           const struct weir_capture_params *params, enum weir_log_code code)
{
    weir_capture *capture = (weir_capture *)&host;
    const int before = test_log_count(code);
    test_expect(weir_capture_open_blocks(blocks, params, &capture) == WEIR_ERROR_INVALID &&
                    !capture,
                "%s is refused", what);
    test_expect(test_log_count(code) == before + 1 && strstr(test_log_text(), what), "%s: %s", what,
                test_log_text());
}

static void test_refused_blocks(void)
{
    struct sink sink = {.num_good = -1};
    const struct weir_capture_params params = params_of(&sink);
    struct weir_blocks_params odd = recording_blocks(&host, 0, HEIGHT);
    expect_refused("width", &odd, &params, WEIR_LOG_CODE_OUT_OF_RANGE);
    odd = recording_blocks(&host, WIDTH, 0);
    expect_refused("height", &odd, &params, WEIR_LOG_CODE_OUT_OF_RANGE);
    odd = recording_blocks(&host, 65536, HEIGHT);
    expect_refused("65536x12", &odd, &params, WEIR_LOG_CODE_OUT_OF_RANGE);
    odd = recording_blocks(&host, 65535, 65535);
    expect_refused("65535x65535", &odd, &params, WEIR_LOG_CODE_OUT_OF_RANGE);
}

static void test_refused_params(void)
{
    struct sink sink = {.num_good = -1};
    const struct weir_capture_params good = params_of(&sink);
    struct weir_capture_params odd[8];
    static const char *const names[] = {"like",    "decoder", "effort",    "steady",
                                        "quality", "rate",    "no_dither", "packing"};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        odd[i] = good;
        odd[i].rate.compression = WEIR_COMPRESSION_SNAPPY;
    }
    odd[0].like = (const weir_image *)&host; // not looked into
    odd[1].encoding.decoder = WEIR_DECODER_FFMPEG;
    odd[2].encoding.effort = WEIR_EFFORT_FAST;
    odd[3].encoding.steady = true;
    odd[4].rate.quality = 50;
    odd[5].rate.bytes_per_second = 1000000;
    odd[6].encoding.no_dither = true;
    odd[7].rate.packing = WEIR_PACKING_GPU;
    const struct weir_blocks_params blocks = recording_blocks(&host, WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        expect_refused(names[i], &blocks, &odd[i], WEIR_LOG_CODE_OUT_OF_RANGE);
    }
    struct weir_capture_params wrong = good;
    wrong.num_slots = 65;
    expect_refused("num_slots", &blocks, &wrong, WEIR_LOG_CODE_OUT_OF_RANGE);
    wrong = good;
    wrong.callbacks.packet = NULL;
    expect_refused("callbacks.packet", &blocks, &wrong, WEIR_LOG_CODE_NULL_ARGUMENT);
    wrong = good;
    wrong.sink = WEIR_SINK_MOV;
    wrong.path = test_path("missing/movie.mov");
    weir_capture *capture = NULL;
    test_expect(weir_capture_open_blocks(&blocks, &wrong, &capture) < WEIR_OK && !capture,
                "a folder that is missing");
    atomic_store(&has_no_memory, true);
    test_expect(weir_capture_open_blocks(&blocks, &good, &capture) == WEIR_ERROR_OUT_OF_MEMORY &&
                    !capture,
                "no memory");
    atomic_store(&has_no_memory, false);
}

static void expect_frame_refused(weir_capture *capture, const struct weir_blocks *blocks,
                                 const char *what)
{
    const uint64_t received = weir_capture_get_stats(capture).received;
    test_expect(weir_capture_blocks(capture, blocks) == WEIR_ERROR_INVALID, "%s is refused", what);
    test_expect(weir_capture_get_stats(capture).received == received, "%s is not counted", what);
}

static void test_refused_frames(void)
{
    struct sink sink = {.num_good = -1};
    const struct weir_capture_params params = params_of(&sink);
    recording_open_size(&host, WIDTH, HEIGHT, &params);
    _Alignas(16) uint8_t memory[64] = {0};
    test_expect(recording_present_random(&host, WIDTH, HEIGHT, 5) == WEIR_OK, "a good frame");
    expect_frame_refused(host.capture, &(struct weir_blocks){0, HEIGHT, memory, 9, NULL},
                         "no width");
    expect_frame_refused(host.capture, &(struct weir_blocks){WIDTH, 0, NULL, 9, NULL}, "no height");
    expect_frame_refused(host.capture, &(struct weir_blocks){WIDTH, HEIGHT, memory + 8, 9, NULL},
                         "memory that is not aligned");
    expect_frame_refused(host.capture, &(struct weir_blocks){WIDTH, HEIGHT + 4, memory, 9, NULL},
                         "another size");
    expect_frame_refused(host.capture, &(struct weir_blocks){WIDTH + 4, HEIGHT, NULL, 9, NULL},
                         "another size that is lost");
    struct weir_point released = {VK_NULL_HANDLE, 7};
    test_expect(weir_capture_frame(host.capture, &(struct weir_frame){0}, &released) ==
                        WEIR_ERROR_INVALID &&
                    released.value == 0 && strstr(test_log_text(), "weir_capture_blocks"),
                "a rendered frame: %s", test_log_text());
    test_expect(recording_present_random(&host, WIDTH, HEIGHT, 5) == WEIR_DROPPED, "the same time");
    test_expect(recording_present_random(&host, WIDTH, HEIGHT, 9) == WEIR_OK, "a good frame again");
    const struct weir_capture_stats stats = recording_end(&host, WEIR_OK);
    test_expect(stats.written == 2 && stats.dropped_by_reason[WEIR_DROP_TIME] == 1,
                "%" PRIu64 " written", stats.written);
    recording_finish(&host);
}

// A frame of another size for which there is no memory, or that is too large, is refused, may come
// again, and leaves the capture as it was.
static void test_no_memory(void)
{
    const char *path = test_path("memory.mov");
    struct weir_capture_params params = {
        .path = path, .segments = {.enable = true}, .policy = WEIR_POLICY_WAIT, .num_slots = 2};
    recording_open_size(&host, WIDTH, HEIGHT, &params);
    test_expect(recording_present_random(&host, WIDTH, HEIGHT, 0) == WEIR_OK, "a good frame");
    atomic_store(&has_no_memory, true);
    test_expect(recording_present_random(&host, 40, 40, FRAME_NS) == WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for another size");
    atomic_store(&has_no_memory, false);
    _Alignas(16) uint8_t memory[16] = {0};
    expect_frame_refused(host.capture, &(struct weir_blocks){65536, 4, memory, FRAME_NS, NULL},
                         "too large");
    test_expect(recording_present_random(&host, 40, 40, FRAME_NS) == WEIR_OK, "it comes again");
    const struct weir_capture_stats stats = recording_end(&host, WEIR_OK);
    test_expect(stats.written == 2 && stats.received == 2 && stats.segments == 2,
                "%" PRIu64 " written", stats.written);
    recording_finish(&host);
}

// Without room frames are dropped, and their memory stays with the caller.
static void test_no_room(void)
{
    struct sink sink = {.num_good = -1, .has_gate = true};
    sem_init(&sink.gate, 0, 0);
    struct weir_capture_params params = params_of(&sink);
    params.policy = WEIR_POLICY_DROP;
    recording_open_size(&host, WIDTH, HEIGHT, &params);
    for (int i = 0; i < 10; i++) {
        const enum weir_result want = i < 3 ? WEIR_OK : WEIR_DROPPED;
        test_expect(recording_present_random(&host, WIDTH, HEIGHT, i) == want, "frame %d", i);
    }
    test_expect(atomic_load(&host.num_released) == 0, "nothing comes back while it is read");
    for (int i = 0; i < 3; i++) {
        sem_post(&sink.gate);
    }
    const struct weir_capture_stats stats = recording_end(&host, WEIR_OK);
    test_expect(stats.written == 3 && stats.dropped_by_reason[WEIR_DROP_RING_FULL] == 7,
                "%" PRIu64 " written", stats.written);
    sem_destroy(&sink.gate);
    recording_finish(&host);
}

// After a failure of the sink every frame that was taken comes back, in order, also the one that is
// kept for a constant rate; and none is taken any more.
static void test_failure(bool constant_rate)
{
    struct sink sink = {.num_good = (int)(test_random() % 8), .has_gate = true};
    sem_init(&sink.gate, 0, 0);
    struct weir_capture_params params = params_of(&sink);
    params.timing.constant_rate = constant_rate;
    params.num_slots = 2 + (uint32_t)(test_random() % 7);
    recording_open_size(&host, WIDTH, HEIGHT, &params);
    enum weir_result result = WEIR_OK;
    int64_t time_ns = 0;
    for (uint32_t i = 0; result == WEIR_OK && i < 60; i++) {
        for (int k = 0; i == params.num_slots && k < 200; k++) {
            sem_post(&sink.gate); // as soon as all slots are in use
        }
        result = recording_present_random(&host, WIDTH, HEIGHT, time_ns);
        time_ns += (1 + (int64_t)(test_random() % 3)) * FRAME_NS;
    }
    test_expect(result == WEIR_ERROR_DISK_FULL, "%s", weir_result_name(result));
    test_expect(recording_present_random(&host, WIDTH, HEIGHT, time_ns) == WEIR_ERROR_DISK_FULL &&
                    recording_lose(&host, WIDTH, HEIGHT, time_ns) == WEIR_ERROR_DISK_FULL,
                "it is sticky");
    const struct weir_capture_stats stats = recording_end(&host, WEIR_ERROR_DISK_FULL);
    test_expect(stats.written + stats.repeated == (uint64_t)sink.num_good &&
                    stats.dropped == stats.dropped_by_reason[WEIR_DROP_SINK],
                "%" PRIu64 " written, %" PRIu64 " repeated", stats.written, stats.repeated);
    sem_destroy(&sink.gate);
    recording_finish(&host);
}

int main(void)
{
    test_refused_blocks();
    test_refused_params();
    test_refused_frames();
    test_no_memory();
    test_no_room();
    for (int i = 0; i < 4; i++) {
        test_failure(false);
        test_failure(true);
    }
    return test_finish();
}
