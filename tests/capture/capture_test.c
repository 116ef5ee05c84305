// SPDX-License-Identifier: MIT
// The capture as a whole on a device: every frame arrives, every frame is counted, drops have their
// reasons, errors their names, and the frame path allocates nothing.
#include <weir/capture.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "testing.h"
#include "tests/gpu/harness.h"

#define WIDTH 70
#define HEIGHT 46

static struct harness harness;
static struct harness_image texels;
static weir_image *image;

// Calls from Weir's own objects come here: the program is linked with --wrap.
void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__real_realloc(void *place, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__wrap_realloc(void *place, size_t size);
static _Atomic int num_allocations;

void *__wrap_malloc(size_t size)
{
    num_allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size)
{
    num_allocations++;
    return __real_calloc(num, size);
}

void *__wrap_realloc(void *place, size_t size)
{
    num_allocations++;
    return __real_realloc(place, size);
}

static struct weir_capture_params params_of(const char *path, enum weir_sink sink)
{
    return (struct weir_capture_params){
        .path = path,
        .sink = sink,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .width = WIDTH,
        .height = HEIGHT,
        .policy = WEIR_POLICY_WAIT,
    };
}

static weir_capture *open_capture(const struct weir_capture_params *params)
{
    weir_capture *capture = NULL;
    const enum weir_result result = weir_capture_open(harness.context, params, &capture);
    if (!test_expect(result == WEIR_OK, "open: %s", weir_result_name(result))) {
        exit(1);
    }
    return capture;
}

static struct weir_frame frame_at(int64_t time_ns)
{
    return (struct weir_frame){
        .image = image,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
        .queue_family = harness.host.family,
        .time_ns = time_ns,
    };
}

// A frame of a host that does everything by the book.
static enum weir_result present(weir_capture *capture, int64_t time_ns)
{
    const struct weir_frame frame = frame_at(time_ns);
    struct weir_point released = {VK_NULL_HANDLE, 0};
    harness_release(&harness, &frame);
    const enum weir_result result = weir_capture_frame(capture, &frame, &released);
    if (result >= WEIR_OK || result == WEIR_ERROR_IO || result == WEIR_ERROR_DISK_FULL) {
        test_expect(released.semaphore != VK_NULL_HANDLE, "the image comes back");
        harness_acquire(&harness, &frame, &released);
    }
    return result;
}

static void expect_sum(const struct weir_capture_stats *stats)
{
    uint64_t dropped = 0;
    for (int i = 0; i < WEIR_NUM_DROP_REASONS; i++) {
        dropped += stats->dropped_by_reason[i];
    }
    test_expect(dropped == stats->dropped, "dropped is the sum of its reasons");
    test_expect(stats->presented == stats->written + stats->dropped + stats->in_flight,
                "presented %llu = written %llu + dropped %llu + in flight %llu",
                (unsigned long long)stats->presented, (unsigned long long)stats->written,
                (unsigned long long)stats->dropped, (unsigned long long)stats->in_flight);
}

static void expect_end(weir_capture *capture, enum weir_result want, uint64_t written,
                       uint64_t dropped)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close(&capture, &stats);
    test_expect(result == want && !capture, "close: %s", weir_result_name(result));
    expect_sum(&stats);
    test_expect(stats.written == written && stats.dropped == dropped && stats.in_flight == 0,
                "%llu written, %llu dropped, want %llu, %llu", (unsigned long long)stats.written,
                (unsigned long long)stats.dropped, (unsigned long long)written,
                (unsigned long long)dropped);
}

static void test_stream(enum weir_compression compression, uint32_t num_chunks)
{
    enum { NUM_FRAMES = 90 };
    const char *path = test_path("stream.mov");
    struct weir_capture_params params = params_of(path, WEIR_SINK_MOV);
    params.compression = compression;
    params.num_chunks = num_chunks;
    params.num_slots = 3;
    params.frame_rate_num = 30;
    params.frame_rate_den = 1;
    weir_capture *capture = open_capture(&params);
    struct weir_capture_stats stats;
    for (int i = 0; i < NUM_FRAMES; i++) {
        // From a clock of its own, and from before its zero.
        const enum weir_result result = present(capture, -500000000 + (int64_t)i * 1000000000 / 30);
        test_expect(result == WEIR_OK, "frame %d: %s", i, weir_result_name(result));
        weir_capture_get_stats(capture, &stats);
        expect_sum(&stats);
        test_expect(stats.presented == (uint64_t)i + 1 && stats.in_flight <= 3, "frame %d", i);
    }
    test_expect(stats.host_ns >= stats.host_max_ns && stats.host_max_ns > 0, "host time");
    expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
    char output[512];
    if (test_has_ffprobe()) {
        test_run(output, sizeof(output),
                 "ffprobe -v error -count_frames -of csv=p=0 -show_entries stream=codec_tag_string,"
                 "width,height,r_frame_rate,avg_frame_rate,nb_frames,nb_read_frames '%s'",
                 path);
        test_expect(strcmp(output, "HapY,70,46,30/1,30/1,90,90\n") == 0, "ffprobe says %s", output);
    }
    unlink(path);
}

// The GPU is held up, so the ring fills to the last slot, and not further.
static void test_drop(void)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore gate;
    vkCreateSemaphore(harness.vk, &info, NULL, &gate);
    struct weir_capture_params params = params_of(NULL, WEIR_SINK_NULL);
    params.policy = WEIR_POLICY_DROP;
    params.num_slots = 4;
    weir_capture *capture = open_capture(&params);
    for (int i = 0; i < 7; i++) {
        struct weir_frame frame = frame_at(i * 1000);
        frame.wait = (struct weir_point){.semaphore = gate, .value = 1};
        struct weir_point released = {VK_NULL_HANDLE, 0};
        const enum weir_result result = weir_capture_frame(capture, &frame, &released);
        test_expect(result == (i < 4 ? WEIR_OK : WEIR_DROPPED), "frame %d: %s", i,
                    weir_result_name(result));
        test_expect(released.semaphore != VK_NULL_HANDLE, "dropped or not, the image comes back");
    }
    struct weir_capture_stats stats;
    weir_capture_get_stats(capture, &stats);
    test_expect(stats.in_flight == 4 && stats.dropped_by_reason[WEIR_DROP_RING_FULL] == 3,
                "4 in flight, 3 dropped");
    expect_sum(&stats);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = 1};
    vkSignalSemaphore(harness.vk, &signal);
    expect_end(capture, WEIR_OK, 4, 3);
    vkQueueWaitIdle(harness.host.queue); // frames that passed may still wait for it
    vkDestroySemaphore(harness.vk, gate, NULL);
}

static void test_times(void)
{
    const char *path = test_path("times.txt");
    struct weir_capture_params params = params_of(path, WEIR_SINK_HASH);
    weir_capture *capture = open_capture(&params);
    const int64_t hour = INT64_C(3600000000000);
    static const char *const want = "0 ,1 ,50000000000 ,21600000000000 ,";
    const struct {
        int64_t time_ns;
        enum weir_result result;
    } frames[] = {
        {1000, WEIR_OK},           {1001, WEIR_OK},           {1001, WEIR_DROPPED}, // equal
        {999, WEIR_DROPPED},                                                        // earlier
        {50000001000, WEIR_OK},    {INT64_MIN, WEIR_DROPPED}, {6 * hour + 1000, WEIR_OK},
        {13 * hour, WEIR_DROPPED}, // 7 hours later: 6.6 are the limit
        {INT64_MAX, WEIR_DROPPED}, {INT64_MAX, WEIR_DROPPED},
    };
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        const enum weir_result result = present(capture, frames[i].time_ns);
        test_expect(result == frames[i].result, "time %lld: %s", (long long)frames[i].time_ns,
                    weir_result_name(result));
    }
    struct weir_capture_stats stats;
    weir_capture_get_stats(capture, &stats);
    test_expect(stats.dropped_by_reason[WEIR_DROP_TIME] == 6, "6 dropped for their time");
    expect_end(capture, WEIR_OK, 4, 6);
    char output[512];
    test_run(output, sizeof(output), "cut -d ' ' -f 1 '%s' | tr '\\n' ' ' | sed 's/ / ,/g'", path);
    test_expect(strcmp(output, want) == 0, "times: %s", output);
}

static void test_disk_full(void)
{
    const char *path = test_path("full.mov");
    struct weir_capture_params params = params_of(path, WEIR_SINK_MOV);
    weir_capture *capture = open_capture(&params);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 30000; // SIGXFSZ is not ignored: the writer's thread does not hear it
    setrlimit(RLIMIT_FSIZE, &limit);
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < 200; i++) {
        const enum weir_result now = present(capture, i * INT64_C(16666667));
        test_expect(now == result || (result == WEIR_OK && now == WEIR_ERROR_DISK_FULL),
                    "a failure stays: %s", weir_result_name(now));
        result = now;
    }
    test_expect(result == WEIR_ERROR_DISK_FULL, "the disk fills");
    struct weir_capture_stats stats;
    const enum weir_result closed = weir_capture_close(&capture, &stats);
    setrlimit(RLIMIT_FSIZE, &before);
    test_expect(closed == WEIR_ERROR_DISK_FULL, "close: %s", weir_result_name(closed));
    expect_sum(&stats);
    test_expect(stats.presented == 200 && stats.dropped_by_reason[WEIR_DROP_SINK] > 150 &&
                    stats.written > 5,
                "%llu written", (unsigned long long)stats.written);
    test_expect(!test_has_ffprobe() || test_count_frames(path) == (int)stats.written,
                "as many in the file as counted");
}

static void refuse(struct weir_capture_params params, enum weir_log_code code, const char *what)
{
    const int before = harness.log_codes[code];
    weir_capture *capture = (weir_capture *)&capture;
    const enum weir_result result = weir_capture_open(harness.context, &params, &capture);
    test_expect(result == WEIR_ERROR_INVALID && !capture, "%s: %s", what, weir_result_name(result));
    test_expect(harness.log_codes[code] == before + 1, "%s: code %d is in the log", what, code);
}

static void test_params(void)
{
    const struct weir_capture_params good = params_of(NULL, WEIR_SINK_NULL);
#define REFUSE(code, ...)                                                                          \
    do {                                                                                           \
        struct weir_capture_params bad = good;                                                     \
        bad.__VA_ARGS__;                                                                           \
        refuse(bad, code, #__VA_ARGS__);                                                           \
    } while (0)
    REFUSE(WEIR_LOG_OUT_OF_RANGE, width = 0);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, height = 0);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, width = 65536);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, height = UINT32_MAX);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, width = bad.height = 65535);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, num_slots = 1);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, num_slots = 65);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, num_chunks = 65);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, frame_rate_num = 30);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, frame_rate_den = 1001);
    REFUSE(WEIR_LOG_OUT_OF_RANGE, frame_rate_num = bad.frame_rate_den = UINT32_MAX);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, sink = (enum weir_sink)3);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, sink = (enum weir_sink)INT_MAX);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, codec = (enum weir_codec)77);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, decoder = (enum weir_decoder_model)2);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, compression = (enum weir_compression)2);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, policy = (enum weir_policy)2);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, transfer = (enum weir_transfer)3);
    REFUSE(WEIR_LOG_NULL_ARGUMENT, sink = WEIR_SINK_MOV);
    REFUSE(WEIR_LOG_NULL_ARGUMENT, sink = WEIR_SINK_HASH; bad.path = "");
    struct weir_capture_params odd = good;
    odd.format = VK_FORMAT_R8_UNORM;
    weir_capture *capture = NULL;
    test_expect(weir_capture_open(harness.context, &odd, &capture) < WEIR_OK && !capture, "format");
    odd = params_of(test_path("missing/movie.mov"), WEIR_SINK_MOV);
    test_expect(weir_capture_open(harness.context, &odd, &capture) == WEIR_ERROR_IO && !capture,
                "a folder that is missing");
}

static void test_nonsense(void)
{
    weir_capture *capture = NULL;
    struct weir_capture_stats stats;
    struct weir_capture_params params = params_of(NULL, WEIR_SINK_NULL);
    test_expect(weir_capture_open(NULL, &params, &capture) == WEIR_ERROR_INVALID, "no context");
    test_expect(weir_capture_open(harness.context, NULL, &capture) == WEIR_ERROR_INVALID, "params");
    test_expect(weir_capture_open(harness.context, &params, NULL) == WEIR_ERROR_INVALID, "out");
    test_expect(weir_capture_frame(NULL, NULL, NULL) == WEIR_ERROR_INVALID, "no capture");
    test_expect(weir_capture_close(NULL, NULL) == WEIR_OK, "close NULL");
    test_expect(weir_capture_close(&capture, &stats) == WEIR_OK && stats.presented == 0, "close");
    weir_capture_get_stats(NULL, &stats);
    weir_capture_get_stats(NULL, NULL);
    test_expect(weir_capture_get_params(NULL).width == 0, "params of nothing");

    capture = open_capture(&params);
    params = weir_capture_get_params(capture);
    test_expect(params.num_slots == 8 && params.frame_rate_num == 60 &&
                    params.frame_rate_den == 1 && params.num_chunks == 1 &&
                    params.codec == WEIR_CODEC_YCOCG_BC3 &&
                    params.transfer == WEIR_TRANSFER_CODES && !params.path,
                "defaults are filled in");
    struct weir_frame frame = frame_at(0);
    frame.image = NULL;
    test_expect(weir_capture_frame(capture, NULL, NULL) == WEIR_ERROR_INVALID, "no frame");
    test_expect(weir_capture_frame(capture, &frame, NULL) == WEIR_ERROR_INVALID, "no image");
    frame = frame_at(0);
    frame.layout = VK_IMAGE_LAYOUT_UNDEFINED;
    test_expect(weir_capture_frame(capture, &frame, NULL) == WEIR_ERROR_INVALID, "no layout");
    weir_capture_get_stats(capture, NULL);
    test_expect(present(capture, 0) == WEIR_OK, "a refused frame's time is free");
    expect_end(capture, WEIR_OK, 1, 0);

    params.width++;
    capture = open_capture(&params);
    test_expect(present(capture, 0) == WEIR_ERROR_INVALID, "another size");
    expect_end(capture, WEIR_OK, 0, 0);
    params.width--;
    params.format = VK_FORMAT_B8G8R8A8_UNORM;
    capture = open_capture(&params);
    test_expect(present(capture, 0) == WEIR_ERROR_INVALID, "another format");
    expect_end(capture, WEIR_OK, 0, 0);
}

// A sanitizer keeps what was freed for a while, and that grows.
#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define MAX_GROWTH_KIB (512 * 1024)
#else
#define MAX_GROWTH_KIB 4096
#endif

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        fclose(file);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// With the queue that renders: no hand-over of owners, which this host does in submissions of its own.
static void test_steady_state(void)
{
    enum { NUM_FRAMES = 10000, WARM_UP = 1000 };
    struct weir_capture_params params = params_of(test_path("long.mov"), WEIR_SINK_MOV);
    weir_capture *capture = open_capture(&params);
    const struct weir_frame first = frame_at(-1);
    harness_release(&harness, &first);
    int before = 0;
    long kib = 0;
    for (int i = 0; i < NUM_FRAMES; i++) {
        if (i == WARM_UP) {
            before = num_allocations;
            kib = resident_kib();
        }
        struct weir_frame frame = frame_at(i * INT64_C(16666667));
        frame.queue_family = weir_context_queue(harness.context).family;
        const enum weir_result result = weir_capture_frame(capture, &frame, NULL);
        if (!test_expect(result == WEIR_OK, "frame %d: %s", i, weir_result_name(result))) {
            break;
        }
    }
    test_expect(num_allocations == before, "%d allocations on the frame path",
                num_allocations - before);
    const long growth = resident_kib() - kib;
    printf("%d frames: %ld KiB more resident\n", NUM_FRAMES - WARM_UP, growth);
    test_expect(growth < MAX_GROWTH_KIB, "memory grew by %ld KiB", growth);
    expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
}

int main(void)
{
    uint8_t rgba[WIDTH * HEIGHT * 4];
    test_random_bytes(rgba, sizeof(rgba));
    for (int shared = 0; shared < 2; shared++) {
        harness_init(&harness, shared);
        harness_image_init(&harness, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                           VK_IMAGE_USAGE_SAMPLED_BIT, 0, rgba, 4, VK_IMAGE_LAYOUT_GENERAL,
                           &texels);
        image = harness_wrap(&harness, &texels, WEIR_TRANSFER_DEFAULT);
        test_stream(WEIR_COMPRESSION_NONE, 0);
        test_stream(WEIR_COMPRESSION_SNAPPY, 8);
        if (shared) {
            test_drop();
            test_times();
            test_disk_full();
            test_params();
            test_nonsense();
            test_steady_state();
        }
        weir_image_destroy(&image);
        harness_image_finish(&harness, &texels);
        test_expect(harness_finish(&harness) == 0, "the device has no complaints");
    }
    return test_finish();
}
