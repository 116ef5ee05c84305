// SPDX-License-Identifier: MIT
// The writer with a GPU and a sink that fail on purpose: frames arrive in order, every one is
// counted once, the first failure stays, and nothing hangs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/writer/writer.h"
#include "testing.h"

#define NUM_SLOTS 4
#define SIZE 64
#define NUM_FRAMES 50

struct fault {
    const char *name;
    int sink_after, gpu_after; // how many frames go well; -1: all
    enum weir_result result;
    enum weir_result close_result;
    int unsubmitted, unencoded; // the frame with this number; -1: none
};

static struct {
    struct weir_mux mux;
    const struct fault *fault;
    int num_written, num_asked, num_waited, num_released, num_closed;
    uint64_t last_ticks, last_ns;
    bool in_order;
    uint8_t slots[NUM_SLOTS][8 + SIZE];
} world;

static enum weir_result write_sink(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    (void)mux;
    if (world.num_written == world.fault->sink_after) {
        return world.fault->result;
    }
    world.in_order &= world.num_written == 0 ||
                      (packet->ticks > world.last_ticks && packet->time_ns > world.last_ns);
    world.in_order &= packet->size == SIZE + 4 && packet->data[3] == 0xaf;
    world.last_ticks = packet->ticks;
    world.last_ns = packet->time_ns;
    world.num_written++;
    return WEIR_OK;
}

static enum weir_result close_sink(struct weir_mux *mux)
{
    (void)mux;
    world.num_closed++;
    return world.fault->close_result;
}

static const struct weir_mux_ops faulty_sink = {.write = write_sink, .close = close_sink};

static enum weir_result wait_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                  struct weir_readback_data *data)
{
    (void)user;
    (void)timeout_ns;
    if (world.num_waited == world.fault->gpu_after) {
        return world.fault->result;
    }
    // Now and then the GPU is late.
    if (world.num_asked++ % 5 == 3) {
        return WEIR_NOT_READY;
    }
    world.num_waited++;
    *data = (struct weir_readback_data){.data = world.slots[slot] + 8, .size = SIZE, .gpu_ns = 3};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    (void)user;
    (void)slot;
    world.num_released++;
}

// End the writer, and see that every frame is where it should be.
static void finish(const struct fault *fault, struct weir_writer *writer, int lines_before)
{
    const enum weir_result result = weir_writer_finish(writer);
    struct weir_capture_stats end;
    end = weir_stats_snapshot(writer->stats);
    const enum weir_result want = fault->result != WEIR_OK ? fault->result : fault->close_result;
    test_expect(result == want, "%s: finish says %s", fault->name, weir_result_name(result));
    test_expect(world.in_order, "%s: frames in order", fault->name);
    test_expect(world.num_released == NUM_FRAMES, "%s: %d slots released", fault->name,
                world.num_released);
    test_expect(world.num_closed == 1, "%s: closed %d times", fault->name, world.num_closed);
    test_expect(end.written == (uint64_t)world.num_written && end.in_flight == 0 &&
                    end.written + end.dropped == NUM_FRAMES,
                "%s: %llu written, %llu dropped", fault->name, (unsigned long long)end.written,
                (unsigned long long)end.dropped);
    test_expect(end.bytes == end.written * (SIZE + 4) && end.gpu_ns == end.written * 3,
                "%s: bytes and GPU time", fault->name);
    const int num_lines = test_log_count(WEIR_LOG_CODE_FRAME_DROPPED) - lines_before;
    test_expect((num_lines > 0) == (end.dropped > 0) && (uint64_t)num_lines <= end.dropped,
                "%s: %d lines in the log", fault->name, num_lines);
    const int good = fault->sink_after >= 0 ? fault->sink_after : fault->gpu_after;
    test_expect(good < 0 || world.num_written == good, "%s: %d written", fault->name,
                world.num_written);
    const enum weir_drop_reason reason = fault->sink_after >= 0 ? WEIR_DROP_SINK : WEIR_DROP_DEVICE;
    test_expect(end.dropped == end.dropped_by_reason[reason], "%s: the reason", fault->name);
    const uint64_t num_skipped = (fault->unsubmitted >= 0) + (fault->unencoded >= 0);
    test_expect(good >= 0 || end.dropped == num_skipped, "%s: %llu dropped", fault->name,
                (unsigned long long)end.dropped);
}

// The frames that the writer dropped are in the sidecar, if there is a movie.
static void expect_sidecar(const struct fault *fault, struct weir_writer *writer, const char *path)
{
    struct weir_sidecar_end end = {.stats = weir_stats_snapshot(writer->stats)};
    weir_sidecar_close(&writer->sidecar, &end);
    char sidecar[300];
    int num[2];
    static const char *const reasons[] = {"\"reason\": \"sink", "\"reason\": \"device"};
    snprintf(sidecar, sizeof(sidecar), "%s.json", path);
    for (int i = 0; i < 2; i++) {
        num[i] = test_count_lines(sidecar, reasons[i]);
    }
    const uint64_t *dropped = end.stats.dropped_by_reason;
    test_expect(end.stats.written > 0 ? dropped[WEIR_DROP_SINK] == (uint64_t)num[0] &&
                                            dropped[WEIR_DROP_DEVICE] == (uint64_t)num[1]
                                      : !test_file_exists(path),
                "%s: %d and %d in the sidecar", fault->name, num[0], num[1]);
}

static void run(const struct fault *fault)
{
    static struct weir_ring ring;
    static struct weir_stats stats;
    memset(&world, 0, sizeof(world));
    memset(&stats, 0, sizeof(stats));
    world.fault = fault;
    world.in_order = true;
    world.mux.ops = &faulty_sink;
    const struct weir_packer_params packer_params = {.width = SIZE / 4, .height = 4};
    struct weir_encoding encoding = {.source = {.wait = wait_slot, .release = release_slot}};
    TEST_MUST(weir_packer_create(&packer_params, &test_log, &encoding.packer));
    weir_ring_init(&ring, NUM_SLOTS);
    struct weir_drop_log drops = {.stats = &stats, .log = &test_log};
    struct weir_writer writer = TEST_LIST(.ring = &ring, .stats = &stats, .drops = &drops,
                                          .mux = &world.mux, .log = test_log,
                                          .ticks_per_second = 90000);
    const char *path = test_path("writer.mov");
    const struct weir_capture_params params = {.num_slots = NUM_SLOTS};
    const struct weir_mux_params movie = test_movie(path, SIZE / 4, 4);
    test_expect(weir_sidecar_open(path, &params, &movie, &ring, &writer.sidecar) == WEIR_OK,
                "%s: sidecar", fault->name);
    const int lines_before = test_log_count(WEIR_LOG_CODE_FRAME_DROPPED);
    test_expect(weir_writer_start(&writer) == WEIR_OK, "%s: start", fault->name);
    uint64_t time_ns = 0;
    for (int i = 0; i < NUM_FRAMES; i++) {
        weir_ring_reserve(&ring);
        weir_counts_begin(&stats.render);
        weir_counts_add(&stats.render, WEIR_COUNT(received), 1);
        weir_counts_end(&stats.render);
        atomic_fetch_add(&encoding.num_in_flight, 1);
        const struct weir_ring_item item = TEST_LIST(.encoding = &encoding,
                                                     .slot = (uint32_t)i % NUM_SLOTS,
                                                     .is_submitted = i != fault->unsubmitted,
                                                     .is_encoded = i != fault->unencoded,
                                                     .number = (uint64_t)i, .time_ns = time_ns);
        // Sometimes far closer together than a tick.
        time_ns += 1 + (test_random() % 2 ? test_random() % 20000000 : 0);
        weir_ring_push(&ring, &item);
        struct weir_capture_stats now;
        now = weir_stats_snapshot(&stats);
        test_expect(now.received == now.written + now.dropped + now.in_flight &&
                        now.in_flight <= NUM_SLOTS,
                    "%s: counts add up in frame %d", fault->name, i);
    }
    finish(fault, &writer, lines_before);
    expect_sidecar(fault, &writer, path);
    test_expect(atomic_load(&encoding.num_in_flight) == 0, "%s: no frame is in flight",
                fault->name);
    weir_packer_destroy(&encoding.packer);
    weir_ring_finish(&ring);
}

int main(void)
{
    static const struct fault faults[] = {
        {"none", -1, -1, WEIR_OK, WEIR_OK, -1, -1},
        {"disk full at once", 0, -1, WEIR_ERROR_DISK_FULL, WEIR_OK, -1, -1},
        {"disk full later", 17, -1, WEIR_ERROR_DISK_FULL, WEIR_ERROR_IO, -1, -1},
        {"io", 30, -1, WEIR_ERROR_IO, WEIR_OK, -1, -1},
        {"device lost at once", -1, 0, WEIR_ERROR_DEVICE_LOST, WEIR_OK, -1, -1},
        {"device lost later", -1, 23, WEIR_ERROR_DEVICE_LOST, WEIR_OK, -1, -1},
        {"submission failed", -1, -1, WEIR_OK, WEIR_OK, 9, -1},
        {"encoding failed", -1, -1, WEIR_OK, WEIR_OK, -1, 9},
        {"close", -1, -1, WEIR_OK, WEIR_ERROR_IO, -1, -1},
    };
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        run(&faults[i]);
    }
    return test_finish();
}
