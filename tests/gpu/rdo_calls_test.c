// SPDX-License-Identifier: MIT
// Rate-distortion optimisation: what its calls refuse, and what those answer that need no device.
#include <weir/rdo.h>

#include "tests/gpu/harness.h"

enum { ROOM = 1 << 18, NUM_BUFFERS = 3 };

// Images of all kinds, and buffers.
struct objects {
    const weir_image *like, *deep, *is_signed;
    struct harness_storage buffers[NUM_BUFFERS];
};

static void objects_init(struct harness *h, struct objects *objects)
{
    objects->like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    objects->deep = harness_like(h, VK_FORMAT_R16G16B16A16_UNORM, 0, 0);
    objects->is_signed = harness_like(h, VK_FORMAT_R8G8B8A8_SNORM, 0, 0);
    for (int i = 0; i < NUM_BUFFERS; i++) {
        harness_storage_init(h, ROOM, &objects->buffers[i]);
    }
}

static void objects_finish(struct harness *h, struct objects *objects)
{
    for (int i = 0; i < NUM_BUFFERS; i++) {
        harness_storage_finish(h, &objects->buffers[i]);
    }
}

static weir_rdo *make(struct harness *h, const struct weir_rdo_params *params)
{
    weir_rdo *rdo = NULL;
    TEST_MUST(weir_rdo_create(h->context, params, &rdo));
    return rdo;
}

static void run_helpers(void)
{
    for (uint32_t quality = 1; quality <= 100; quality++) {
        test_expect(weir_rdo_lambda(quality) == (100u - quality) * (100u - quality) * 2 / 5,
                    "lambda of quality %u", quality);
    }
    test_expect(weir_rdo_lambda(-5) == 3920 && weir_rdo_lambda(200) == 0, "lambda's ends");
    test_expect(weir_rdo_control_size(0, 5) == 0 && weir_rdo_control_size(1, 128) == 32 &&
                    weir_rdo_control_size(129, 128) == 48,
                "the size of a control");
    const struct weir_rdo_result none = {0}, half = {.squared_error = UINT64_C(16) * 65025 * 3 / 2};
    const struct weir_rdo_result nothing = weir_rdo_get_result(NULL, 8, 8);
    test_expect(nothing.squared_error == 0 && nothing.num_bytes == 0, "no control");
    test_expect(weir_rdo_psnr(&none, 9) == 100 && weir_rdo_psnr(NULL, 9) == 100, "no error");
    const double psnr = weir_rdo_psnr(&half, 3);
    test_expect(psnr > 3.01 && psnr < 3.02, "half of the peak's square: %f dB", psnr);
}

static void expect_refused(struct harness *h, const struct weir_rdo_params *params,
                           enum weir_result want, enum weir_log_code code)
{
    const int before = h->log_codes[code];
    weir_rdo *rdo = NULL;
    const enum weir_result result = weir_rdo_create(h->context, params, &rdo);
    test_expect(result == want && !rdo && h->log_codes[code] == before + 1,
                "create: %s without code %d", weir_result_name(result), (int)code);
}

static void expect_run_refused(struct harness *h, const weir_rdo *rdo,
                               const struct weir_rdo_run *wrong, enum weir_log_code code)
{
    const int before = h->log_codes[code];
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_rdo(rdo, cmd, wrong);
    harness_submit(h, cmd, NULL, 0);
    test_expect(result == WEIR_ERROR_INVALID && h->log_codes[code] == before + 1,
                "run: %s without code %d", weir_result_name(result), (int)code);
}

static void run_create_errors(struct harness *h, const struct objects *o)
{
    expect_refused(h, weir_rdo_params(.codec = WEIR_CODEC_ETC2_RGB, .like = o->like),
                   WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE);
    expect_refused(h, weir_rdo_params(.codec = (enum weir_codec)99, .like = o->like),
                   WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE);
    expect_refused(h, weir_rdo_params(.quality = 101, .like = o->like), WEIR_ERROR_INVALID,
                   WEIR_LOG_CODE_OUT_OF_RANGE);
    expect_refused(h, weir_rdo_params(.quality = 50), WEIR_ERROR_INVALID,
                   WEIR_LOG_CODE_NULL_ARGUMENT);
    expect_refused(h, weir_rdo_params(.like = o->is_signed), WEIR_ERROR_UNSUPPORTED,
                   WEIR_LOG_CODE_MISSING_FORMAT);
}

// Blocks of 8 bytes begin at multiples of 8, a control still at those of 16.
static void run_run_errors(struct harness *h, const struct objects *o)
{
    enum { PLAIN, STEADY, CONTROLLED, SMALL, NUM_KINDS };
    const struct weir_rdo_params kinds[NUM_KINDS] = {
        [PLAIN] = {.like = o->like},
        [STEADY] = {.like = o->like, .steady = true},
        [CONTROLLED] = {.like = o->like, .steady = true, .control = true},
        [SMALL] = {.codec = WEIR_CODEC_BC1, .like = o->like, .control = true},
    };
    const weir_image *like = o->like;
    weir_buffer *a = o->buffers[0].buffer, *b = o->buffers[1].buffer, *c = o->buffers[2].buffer;
    const enum weir_log_code missing = WEIR_LOG_CODE_NULL_ARGUMENT,
                             range = WEIR_LOG_CODE_OUT_OF_RANGE,
                             room = WEIR_LOG_CODE_BUFFER_TOO_SMALL;
    const struct {
        int kind;
        enum weir_log_code code;
        struct weir_rdo_run run;
    } cases[] = TEST_LIST(
        {PLAIN, missing, {.buffer = a}}, {PLAIN, missing, {.source = like}},
        {PLAIN, WEIR_LOG_CODE_FORMAT_MISMATCH, {.source = o->deep, .buffer = a}},
        {PLAIN, room, {like, a, .offset = ROOM}}, {PLAIN, room, {like, a, .offset = 8}},
        {STEADY, missing, {.source = like, .buffer = a}}, {STEADY, range, {like, a, .history = a}},
        {STEADY, room, {like, a, .history = b, .history_offset = ROOM}},
        {STEADY, room, {like, a, .history = b, .history_offset = 8}},
        {CONTROLLED, missing, {like, a, .history = b}},
        {CONTROLLED, range, {like, a, .history = b, .control = a}},
        {CONTROLLED, range, {like, a, .history = b, .control = b}},
        {CONTROLLED, room, {like, a, .history = b, .control = c, .control_offset = ROOM - 16}},
        {CONTROLLED, room, {like, a, .history = b, .control = c, .control_offset = 8}},
        {SMALL, room, {like, a, .offset = 8, .control = b, .control_offset = 8}},
        {SMALL, room, {like, a, .offset = 4, .control = b}});
    for (int kind = 0; kind < NUM_KINDS; kind++) {
        weir_rdo *rdo = make(h, &kinds[kind]);
        const struct weir_rdo_params params = weir_rdo_get_params(rdo);
        test_expect(params.quality == 80 && (params.codec == WEIR_CODEC_YCOCG_BC3 || kind == SMALL),
                    "quality %u, codec %d", params.quality, (int)params.codec);
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            if (cases[i].kind == kind) {
                expect_run_refused(h, rdo, &cases[i].run, cases[i].code);
            }
        }
        weir_rdo_destroy(&rdo);
        weir_rdo_destroy(&rdo);
    }
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    struct objects objects;
    objects_init(&h, &objects);
    run_helpers();
    run_create_errors(&h, &objects);
    run_run_errors(&h, &objects);
    objects_finish(&h, &objects);
    return harness_finish(&h);
}
