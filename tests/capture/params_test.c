// SPDX-License-Identifier: MIT
// What a capture refuses: parameters, frames, nothing where something is due.
#include <weir/capture.h>

#include <limits.h>

#include <vulkan/vulkan.h>

#include "rig.h"
#include "testing.h"

static void refuse(struct rig *rig, struct weir_capture_params params, enum weir_log_code code,
                   const char *what)
{
    const int before = rig->harness.log_codes[code];
    weir_capture *capture = (weir_capture *)&capture;
    const enum weir_result result = weir_capture_open(rig->harness.context, &params, &capture);
    test_expect(result == WEIR_ERROR_INVALID && !capture, "%s: %s", what, weir_result_name(result));
    test_expect(rig->harness.log_codes[code] == before + 1, "%s: code %d is in the log", what,
                code);
}

static void test_params(struct rig *rig)
{
    const struct weir_capture_params good = rig_params(NULL, WEIR_SINK_NULL);
#define REFUSE(code, ...)                                                                          \
    do {                                                                                           \
        struct weir_capture_params bad = good;                                                     \
        bad.__VA_ARGS__;                                                                           \
        refuse(rig, bad, code, #__VA_ARGS__);                                                      \
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
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, level = (enum weir_level)77);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, compression = (enum weir_compression)2);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, policy = (enum weir_policy)2);
    REFUSE(WEIR_LOG_UNKNOWN_VALUE, transfer = (enum weir_transfer)3);
    REFUSE(WEIR_LOG_NULL_ARGUMENT, sink = WEIR_SINK_MOV);
    REFUSE(WEIR_LOG_NULL_ARGUMENT, sink = WEIR_SINK_HASH; bad.path = "");
    struct weir_capture_params odd = good;
    odd.codec = WEIR_CODEC_BC4;
    weir_capture *capture = NULL;
    test_expect(weir_capture_open(rig->harness.context, &odd, &capture) == WEIR_ERROR_UNSUPPORTED &&
                    !capture,
                "a codec that no movie holds");
    odd = good;
    odd.format = VK_FORMAT_R8G8B8A8_SNORM;
    test_expect(weir_capture_open(rig->harness.context, &odd, &capture) < WEIR_OK && !capture,
                "format");
    odd = rig_params(test_path("missing/movie.mov"), WEIR_SINK_MOV);
    test_expect(weir_capture_open(rig->harness.context, &odd, &capture) == WEIR_ERROR_IO &&
                    !capture,
                "a folder that is missing");
}

static void test_nonsense(struct rig *rig)
{
    weir_capture *capture = NULL;
    struct weir_capture_stats stats;
    struct weir_capture_params params = rig_params(NULL, WEIR_SINK_NULL);
    test_expect(weir_capture_open(NULL, &params, &capture) == WEIR_ERROR_INVALID, "no context");
    test_expect(weir_capture_open(rig->harness.context, NULL, &capture) == WEIR_ERROR_INVALID,
                "params");
    test_expect(weir_capture_open(rig->harness.context, &params, NULL) == WEIR_ERROR_INVALID,
                "out");
    test_expect(weir_capture_frame(NULL, NULL, NULL) == WEIR_ERROR_INVALID, "no capture");
    test_expect(weir_capture_close(NULL, NULL) == WEIR_OK, "close NULL");
    test_expect(weir_capture_close(&capture, &stats) == WEIR_OK && stats.presented == 0, "close");
    weir_capture_get_stats(NULL, &stats);
    weir_capture_get_stats(NULL, NULL);
    test_expect(weir_capture_get_params(NULL).width == 0, "params of nothing");

    capture = rig_open(rig, &params);
    params = weir_capture_get_params(capture);
    test_expect(params.num_slots == 8 && params.frame_rate_num == 60 &&
                    params.frame_rate_den == 1 && params.num_chunks == 1 &&
                    params.codec == WEIR_CODEC_YCOCG_BC3 &&
                    params.transfer == WEIR_TRANSFER_CODES && !params.path,
                "defaults are filled in");
    struct weir_frame frame = rig_frame(rig, 0);
    frame.image = NULL;
    test_expect(weir_capture_frame(capture, NULL, NULL) == WEIR_ERROR_INVALID, "no frame");
    test_expect(weir_capture_frame(capture, &frame, NULL) == WEIR_ERROR_INVALID, "no image");
    frame = rig_frame(rig, 0);
    frame.layout = VK_IMAGE_LAYOUT_UNDEFINED;
    test_expect(weir_capture_frame(capture, &frame, NULL) == WEIR_ERROR_INVALID, "no layout");
    weir_capture_get_stats(capture, NULL);
    test_expect(rig_present(rig, capture, 0) == WEIR_OK, "a refused frame's time is free");
    rig_expect_end(capture, WEIR_OK, 1, 0);

    params.width++;
    capture = rig_open(rig, &params);
    test_expect(rig_present(rig, capture, 0) == WEIR_ERROR_INVALID, "another size");
    rig_expect_end(capture, WEIR_OK, 0, 0);
    params.width--;
    params.format = VK_FORMAT_B8G8R8A8_UNORM;
    capture = rig_open(rig, &params);
    test_expect(rig_present(rig, capture, 0) == WEIR_ERROR_INVALID, "another format");
    rig_expect_end(capture, WEIR_OK, 0, 0);
}

int main(void)
{
    struct rig rig;
    rig_init(&rig, true);
    test_params(&rig);
    test_nonsense(&rig);
    rig_finish(&rig);
    return test_finish();
}
