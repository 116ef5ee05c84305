// SPDX-License-Identifier: MIT
// The control of a readback's slots: each frame has its own lambda, with commands that are recorded
// once, and what the kernel says of it can be read before and after its result is.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>
#include <weir/rdo.h>
#include <weir/readback.h>

#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/kernels/rdo.h"

enum { WIDTH = 134, HEIGHT = 46, NUM_SLOTS = 3, NUM_FRAMES = 12, MAX_LAMBDA = 4000 };
enum { SIZE = (WIDTH + 3) / 4 * ((HEIGHT + 3) / 4) * 16 };

struct stage {
    struct harness h;
    struct weir_gpu_image image;
    weir_image *source;
    weir_encoder *encoder;
    weir_rdo *rdo;
    weir_readback *readback;
    uint8_t rgb[WIDTH * HEIGHT * 3];
    uint8_t encoded[SIZE];
};

// A frame on its way, and what it must come to.
struct sent {
    uint32_t slot;
    uint8_t want[SIZE];
    struct weir_rdo_result sums;
};

static void draw_picture(struct stage *s, uint8_t *texels)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        for (int c = 0; c < 3; c++) {
            s->rgb[3 * i + c] = (uint8_t)(40 + x * (c + 1) / 4 + (x / 8 + y / 8) % 3 * 20 +
                                          (int)harness_random_below(&s->h, 6));
            texels[4 * i + c] = s->rgb[3 * i + c];
        }
    }
}

static void stage_init(struct stage *s)
{
    static uint8_t texels[WIDTH * HEIGHT * 4];
    struct harness *h = &s->h;
    harness_init(h, true);
    draw_picture(s, texels);
    harness_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &s->image);
    s->source = harness_wrap(h, &s->image, WEIR_TRANSFER_DEFAULT);
    kernel_encode_image(&(struct weir_encoder_params){.effort = WEIR_EFFORT_FAST}, s->rgb, 3,
                        WIDTH * 3, WIDTH, HEIGHT, s->encoded);
    test_must(weir_encoder_create(
                  h->context, weir_encoder_params(.effort = WEIR_EFFORT_FAST, .like = s->source),
                  &s->encoder) == WEIR_OK &&
                  weir_rdo_create(h->context, weir_rdo_params(.like = s->source, .control = true),
                                  &s->rdo) == WEIR_OK &&
                  weir_readback_create(
                      h->context,
                      weir_readback_params(.size = SIZE, .num_slots = NUM_SLOTS,
                                           .control_size = weir_rdo_control_size(WIDTH, HEIGHT)),
                      &s->readback) == WEIR_OK,
              "encoder, optimiser and readback");
}

static void stage_finish(struct stage *s)
{
    weir_readback_destroy(&s->readback);
    weir_rdo_destroy(&s->rdo);
    weir_encoder_destroy(&s->encoder);
    weir_image_destroy(&s->source);
    harness_image_finish(&s->h, &s->image);
}

static void record(struct stage *s, const struct weir_slot *slot, const weir_buffer *control)
{
    const weir_buffer *buffer = weir_slot_buffer(s->readback, slot);
    const struct weir_encode encode = {.source = s->source, .buffer = buffer};
    const struct weir_rdo_run run = {.source = s->source, .buffer = buffer, .control = control};
    test_expect(weir_cmd_encode(s->encoder, slot->cmd, &encode) == WEIR_OK &&
                    weir_cmd_rdo(s->rdo, slot->cmd, &run) == WEIR_OK,
                "recording");
}

// Send a frame with a lambda of its own. Returns true if its commands were those of an earlier one.
static bool send(struct stage *s, struct sent *sent)
{
    const struct weir_frame frame = {
        .image = s->source, .layout = VK_IMAGE_LAYOUT_GENERAL, .queue_family = s->h.host.family};
    struct weir_slot slot;
    struct weir_point released;
    harness_release(&s->h, &frame);
    TEST_MUST(weir_readback_begin(s->readback, &frame, &slot));
    const struct weir_slot_control control = weir_slot_get_control(s->readback, slot.index);
    if (!slot.is_recorded) {
        record(s, &slot, control.buffer);
    }
    const uint32_t lambda = harness_random_below(&s->h, MAX_LAMBDA);
    memcpy(control.data, &(struct weir_rdo_control){.lambda = lambda}, 16);
    slot.keep = true;
    TEST_MUST(weir_readback_submit(s->readback, &slot, &released));
    harness_acquire(&s->h, &frame, &released);
    memcpy(sent->want, s->encoded, SIZE);
    sent->slot = slot.index;
    const struct kernel_picture picture = {s->rgb, WIDTH * 3, 3, WIDTH, HEIGHT};
    sent->sums = kernel_rdo(&(struct weir_rdo_params){0}, &picture, lambda, NULL, sent->want);
    return slot.is_recorded;
}

static void expect_sums(const struct sent *sent, const void *control, const char *when)
{
    const struct weir_rdo_result result = weir_rdo_get_result(control, WIDTH, HEIGHT);
    test_expect(result.squared_error == sent->sums.squared_error &&
                    result.num_bytes == sent->sums.num_bytes,
                "%s: an error of %llu in place of %llu, %llu bytes of %llu", when,
                (unsigned long long)result.squared_error,
                (unsigned long long)sent->sums.squared_error, (unsigned long long)result.num_bytes,
                (unsigned long long)sent->sums.num_bytes);
}

static void receive(struct stage *s, const struct sent *sent)
{
    struct weir_readback_data data = {0};
    const struct weir_slot_control control = weir_slot_get_control(s->readback, sent->slot);
    TEST_OK(weir_readback_wait_control(s->readback, sent->slot, UINT64_MAX));
    expect_sums(sent, control.data, "before the result");
    TEST_MUST(weir_readback_wait(s->readback, sent->slot, UINT64_MAX, &data));
    expect_sums(sent, data.control, "with the result");
    test_expect(memcmp(data.data, sent->want, SIZE) == 0, "the blocks");
    weir_readback_release(s->readback, sent->slot);
    test_expect(weir_readback_wait_control(s->readback, sent->slot, 0) == WEIR_OK,
                "wait_control of a slot that was released");
    expect_sums(sent, control.data, "behind the result");
}

static void run_frames(struct stage *s)
{
    static struct sent sent[NUM_SLOTS];
    uint32_t num_kept = 0;
    for (int i = 0; i < NUM_FRAMES + NUM_SLOTS; i++) {
        if (i >= NUM_SLOTS) {
            receive(s, &sent[i % NUM_SLOTS]);
        }
        if (i < NUM_FRAMES) {
            num_kept += send(s, &sent[i % NUM_SLOTS]);
        }
    }
    test_expect(num_kept == NUM_FRAMES - NUM_SLOTS, "%u frames had kept commands", num_kept);
}

static void expect_code(struct stage *s, enum weir_result result, enum weir_log_code code,
                        int before, const char *what)
{
    test_expect(result == WEIR_ERROR_INVALID && s->h.log_codes[code] == before + 1, "%s: %s", what,
                weir_result_name(result));
}

static void run_errors(struct stage *s)
{
    const _Atomic int *wrong = &s->h.log_codes[WEIR_LOG_CODE_OUT_OF_RANGE];
    weir_readback *other = NULL;
    int before = *wrong;
    expect_code(s,
                weir_readback_create(
                    s->h.context, weir_readback_params(.size = SIZE, .control_size = (1 << 20) + 1),
                    &other),
                WEIR_LOG_CODE_OUT_OF_RANGE, before, "a control that is too large");
    TEST_MUST(weir_readback_create(s->h.context, weir_readback_params(.size = SIZE), &other));
    before = *wrong;
    expect_code(s, weir_readback_wait_control(other, 0, 0), WEIR_LOG_CODE_OUT_OF_RANGE, before,
                "a ring without control");
    before = *wrong;
    expect_code(s, weir_readback_wait_control(s->readback, NUM_SLOTS, 0),
                WEIR_LOG_CODE_OUT_OF_RANGE, before, "a slot that is not there");
    const struct weir_slot_control none[] = {weir_slot_get_control(other, 0),
                                             weir_slot_get_control(s->readback, NUM_SLOTS),
                                             weir_slot_get_control(NULL, 0)};
    for (int i = 0; i < 3; i++) {
        test_expect(!none[i].buffer && !none[i].data, "control %d", i);
    }
    weir_readback_destroy(&other);
}

int main(void)
{
    static struct stage stage;
    stage_init(&stage);
    run_frames(&stage);
    run_errors(&stage);
    stage_finish(&stage);
    return harness_finish(&stage.h);
}
