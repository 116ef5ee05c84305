// SPDX-License-Identifier: MIT
// Calls of the API with any numbers, on any device: a call answers with a result that its header
// names, makes an object or none, says why it refuses, and hands the device nothing that Vulkan
// forbids; calls that record or submit compile nothing; at the end no object of the device is left.
#include "tests/fuzz/api/api.h"

enum { MAX_CALLS = 64, NUM_SEEDS = 64 };

static void (*const calls[])(void) = TEST_LIST(
    objects_create_image, objects_create_image, objects_create_buffer, objects_create_encoder,
    call_encode, objects_create_rdo, call_rdo, objects_create_snappy, call_snappy,
    objects_create_readback, call_readback, objects_create_palette, call_palette,
    objects_create_pyramid, objects_create_target, call_pyramid, call_mips, call_preview,
    objects_open_capture, call_capture, call_capture_audio, call_capture_pause,
    call_capture_chapter, call_capture_replay, objects_close_capture, call_pure);

static void call(void (*one)(void))
{
    const bool records = one == call_encode || one == call_rdo || one == call_snappy ||
                         one == call_readback || one == call_palette || one == call_pyramid;
    const unsigned before = stub_device_num_pipelines();
    one();
    fuzz_expect(!records || stub_device_num_pipelines() == before, "recording compiles a kernel");
}

static void run(const uint8_t *data, size_t size)
{
    draw_from(data, size);
    device_make();
    objects.context = device_make_context();
    for (int i = 0; i < MAX_CALLS && objects.context && !draw_is_over(); i++) {
        call(calls[draw_u8() % (sizeof(calls) / sizeof(calls[0]))]);
    }
    objects_destroy();
    fuzz_expect(stub_device_num_objects() == 0, "%d objects of the device are left",
                stub_device_num_objects());
}

// Without a context nothing is called, and the test would pass: most devices must have one.
static void check_contexts(void)
{
    uint8_t data[FUZZ_MAX_SIZE];
    unsigned num = 0;
    for (unsigned i = 0; i < NUM_SEEDS; i++) {
        draw_from(data, fuzz_seed(i, data));
        device_make();
        objects.context = device_make_context();
        num += objects.context ? 1 : 0;
        objects_destroy();
    }
    fuzz_expect(num >= NUM_SEEDS / 2, "only %u of %d devices have a context", num, NUM_SEEDS);
}

// The bytes from which the device and the context are made, and somewhat more.
enum { HEAD_SIZE = 64 };

// Change the device or the context.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    if (size < HEAD_SIZE) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    fuzz_fill(random, data + fuzz_below(random, HEAD_SIZE), 1);
    return size;
}

static size_t seed(unsigned index, uint8_t *data)
{
    enum { SEED_SIZE = 1024 };
    struct fuzz_random random = fuzz_random(index);
    if (index >= NUM_SEEDS) {
        return 0;
    }
    fuzz_fill(&random, data, SEED_SIZE);
    // Mostly a device and a context as most are, which small numbers make.
    for (int i = 0; i < HEAD_SIZE && index % 4 != 0; i++) {
        data[i] %= 100;
    }
    return SEED_SIZE;
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "api", .num_runs = 3000,
                                                 .init = check_contexts, .seed = seed,
                                                 .mutate = mutate, .run = run);
