// SPDX-License-Identifier: MIT
// Calls with any objects and numbers.
#include "tests/fuzz/api/api.h"

#include <string.h>

void call_encode(void)
{
    const weir_encoder *encoder = OBJECTS_PICK(encoders);
    const struct weir_encode params =
        TEST_LIST(.source = OBJECTS_PICK(images), .buffer = OBJECTS_PICK(buffers),
                  .offset = draw_u8() < 244 ? 0 : draw_large(),
                  .history = draw_u8() % 4 == 0 ? OBJECTS_PICK(buffers) : NULL,
                  .history_offset = draw_u8() < 244 ? 0 : draw_large(), .level = draw_mostly(0),
                  .num_levels = draw_mostly(draw_u8() % 2), .layer = draw_mostly(0),
                  .num_layers = draw_mostly(draw_u8() % 2), .rect = draw_rect(),
                  .proxy = draw_u8() % 4 == 0 ? OBJECTS_PICK(images) : NULL);
    const struct weir_codec_info *codec = weir_codec_get_info(
        weir_encoder_get_params(encoder).codec);
    const struct weir_block_copy copy = {
        .image = objects_like(codec->format),
        .level = draw_mostly(0),
        .layer = draw_mostly(0),
        .offset = {(int32_t)draw_mostly(0), (int32_t)draw_mostly(0)},
    };
    VkCommandBuffer cmd = DRAW_HANDLE(VkCommandBuffer);
    const enum weir_result encoded = weir_cmd_encode(encoder, cmd, &params);
    const uint64_t size = weir_encode_size(encoder, &params);
    const enum weir_result copied = weir_cmd_copy_blocks(encoder, cmd, &params, &copy);
    fuzz_expect(encoded == WEIR_OK || encoded == WEIR_ERROR_INVALID, "an encode");
    fuzz_expect(copied == WEIR_OK || copied == WEIR_ERROR_INVALID, "a copy");
    fuzz_expect(
        encoded != WEIR_OK ||
            (size > 0 && size <= weir_buffer_get_params(params.buffer).size - params.offset),
        "blocks fit into their buffer");
    fuzz_expect(copied != WEIR_OK || encoded == WEIR_OK, "what is copied was encoded");
}

void call_rdo(void)
{
    const weir_rdo *rdo = OBJECTS_PICK(rdos);
    const struct weir_rdo_run run =
        TEST_LIST(.source = OBJECTS_PICK(images), .buffer = OBJECTS_PICK(buffers),
                  .offset = draw_u8() < 244 ? 0 : draw_large(),
                  .history = draw_u8() % 4 == 0 ? OBJECTS_PICK(buffers) : NULL,
                  .history_offset = draw_u8() < 244 ? 0 : draw_large(),
                  .control = draw_u8() % 4 == 0 ? OBJECTS_PICK(buffers) : NULL,
                  .control_offset = draw_u8() < 244 ? 0 : draw_large(),
                  .no_barrier = draw_u8() % 4 == 0);
    const enum weir_result result = weir_cmd_rdo(rdo, DRAW_HANDLE(VkCommandBuffer), &run);
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_INVALID, "an optimisation");
}

void call_snappy(void)
{
    const weir_snappy *snappy = OBJECTS_PICK(snappies);
    const struct weir_snappy_params params = weir_snappy_get_params(snappy);
    const struct weir_snappy_run run = {
        .source = OBJECTS_PICK(buffers),
        .source_offset = draw_u8() < 244 ? 0 : draw_large(),
        .destination = OBJECTS_PICK(buffers),
        .destination_offset = draw_u8() < 244 ? 16 * draw_u8() : draw_large(),
    };
    const enum weir_result result = weir_cmd_snappy(snappy, DRAW_HANDLE(VkCommandBuffer), &run);
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_INVALID, "a packing");
    fuzz_expect(result != WEIR_OK ||
                    weir_snappy_destination_size(params.size, params.num_chunks) <=
                        weir_buffer_get_params(run.destination).size - run.destination_offset,
                "what is packed fits into its buffer");
}

static struct weir_frame frame(void)
{
    return (struct weir_frame){
        .image = OBJECTS_PICK(images),
        .layout = (VkImageLayout)draw_mostly(VK_IMAGE_LAYOUT_GENERAL),
        .queue_family = draw_mostly(0),
        .wait = {.semaphore = DRAW_HANDLE(VkSemaphore), .value = draw_number()},
        .signal = DRAW_HANDLE(VkSemaphore),
        .time_ns = (int64_t)draw_large(),
    };
}

void call_readback(void)
{
    weir_readback *readback = OBJECTS_PICK(readbacks);
    const struct weir_frame given = frame();
    struct weir_slot slot = {.index = draw_number()};
    struct weir_point released;
    struct weir_readback_data data;
    weir_cmd_frame_release(&given, STUB_HANDLE(VkCommandBuffer), 1, 1);
    const enum weir_result begun = weir_readback_begin(readback, &given, &slot);
    expect_known(begun);
    if (begun != WEIR_OK) {
        expect_known(weir_readback_pass(readback, &given, draw_u8() % 2 ? &released : NULL));
    }
    slot.keep = draw_u8() % 2;
    slot.index = draw_u8() < 224 ? slot.index : draw_number();
    fuzz_expect(begun != WEIR_OK || draw_u8() % 2 || weir_slot_buffer(readback, &slot) ||
                    slot.index > 64 || slot.index >= weir_readback_get_params(readback).num_slots,
                "a slot has a buffer");
    const struct weir_slot_control control = weir_slot_get_control(readback, slot.index);
    const uint64_t control_size = weir_readback_get_params(readback).control_size;
    fuzz_expect(!control.data == !control.buffer && (control_size > 0 || !control.data),
                "a control is whole or none");
    if (control.data) {
        memset(control.data, draw_u8(), control_size);
    }
    expect_known(weir_readback_submit(readback, &slot, &released));
    expect_known(weir_readback_wait_control(readback, slot.index, draw_u8()));
    const uint32_t waited = draw_u8() < 224 ? slot.index : draw_number();
    expect_known(weir_readback_wait(readback, waited, draw_u8(), &data));
    weir_readback_release(readback, waited);
    weir_cmd_frame_acquire(&given, STUB_HANDLE(VkCommandBuffer), 1, 1);
}

void call_palette(void)
{
    weir_palette *palette = OBJECTS_PICK(palettes);
    VkCommandBuffer cmd = DRAW_HANDLE(VkCommandBuffer);
    const weir_image *source = OBJECTS_PICK(images), *output = OBJECTS_PICK(images);
    for (int i = 0; i < 6; i++) {
        switch (draw_u8() % 6) {
        case 0:
            weir_cmd_palette_count(palette, cmd,
                                   &(struct weir_palette_count){source, draw_u8() % 2});
            break;
        case 1:
            weir_cmd_palette_start(palette, cmd,
                                   &(struct weir_palette_start){draw_radius(), draw_number(),
                                                                draw_number(), draw_u8() % 2});
            break;
        case 2:
            weir_cmd_palette_iterate(palette, cmd, draw_number());
            break;
        case 3:
            weir_cmd_palette_finish(palette, cmd);
            break;
        case 4:
            weir_cmd_palette_map(palette, cmd, source, output);
            break;
        default:
            weir_cmd_palette(palette, cmd,
                             &(struct weir_palette_run){source, output, draw_radius(),
                                                        draw_number(), draw_number(), draw_number(),
                                                        draw_u8() % 2});
            break;
        }
    }
    weir_palette_get_stats(palette);
    weir_palette_get_colors(palette, (uint32_t[WEIR_PALETTE_MAX_NUM_COLORS]){0});
}

void call_pyramid(void)
{
    const weir_pyramid_target *target = OBJECTS_PICK(targets);
    const struct weir_pyramid_run run = {.src_stages = draw_number(), .dst_stages = draw_number()};
    expect_known(
        weir_cmd_pyramid(target, DRAW_HANDLE(VkCommandBuffer), draw_u8() % 2 ? &run : NULL));
    weir_pyramid_target_get_num_dispatches(target);
    weir_pyramid_target_get_method(target);
}

void call_mips(void)
{
    const struct weir_image_params texture = weir_image_get_params(OBJECTS_PICK(images));
    const struct weir_mips_params of_mips = {
        .reduction = (enum weir_pyramid_reduction)draw_mostly(draw_u8() % 7),
        .precision = (enum weir_pyramid_precision)draw_mostly(draw_u8() % 3),
        .max_in_flight = draw_mostly(draw_u8() % 4)};
    const struct weir_mips_uses uses = {.src_layout = (VkImageLayout)draw_mostly(0),
                                        .dst_stages = draw_number()};
    weir_mips *mips = NULL;
    if (objects.context) {
        expect_known(weir_mips_create(objects.context, &of_mips, &mips));
        for (int i = 0; i < 6; i++) {
            expect_known(weir_cmd_generate_mips(mips, DRAW_HANDLE(VkCommandBuffer), &texture,
                                                draw_u8() % 2 ? &uses : NULL));
        }
        weir_mips_destroy(&mips);
    }
}

void call_preview(void)
{
    const struct weir_preview_params of_preview = {.like = OBJECTS_PICK(images),
                                                   .max_side = draw_mostly(draw_u8()),
                                                   .num_levels = draw_mostly(draw_u8() % 3)};
    const struct weir_preview_run run = {.source = OBJECTS_PICK(images),
                                         .commands = draw_mostly(draw_u8()),
                                         .buffer = OBJECTS_PICK(buffers),
                                         .offset = draw_number()};
    weir_preview *preview = NULL;
    if (objects.context) {
        expect_known(weir_preview_create(objects.context, &of_preview, &preview));
        expect_known(weir_cmd_preview(preview, DRAW_HANDLE(VkCommandBuffer), &run));
        weir_preview_destroy(&preview);
    }
}

void call_capture(void)
{
    weir_capture *capture = OBJECTS_PICK(captures);
    struct weir_point released;
    for (int i = 0; i < 4; i++) {
        const struct weir_frame given = frame();
        const uint64_t received = weir_capture_get_stats(capture).received;
        const enum weir_result result = weir_capture_frame(capture, &given,
                                                           draw_u8() % 2 ? &released : NULL);
        expect_known(result);
        const bool is_counted = weir_capture_get_stats(capture).received > received;
        fuzz_expect(result != WEIR_ERROR_INVALID || !is_counted, "a refused frame is not counted");
        fuzz_expect(!is_counted || weir_frame_check(objects.context, &given) == WEIR_OK,
                    "a frame that is counted was right");
    }
}

void call_capture_audio(void)
{
    static const uint8_t samples[255 * 64];
    weir_capture *capture = OBJECTS_PICK(captures);
    const int64_t time_ns = (int64_t)draw_number() * 1000;
    expect_known(weir_capture_audio(capture, draw_u8() % 16 == 0, samples, draw_u8(), time_ns));
}

void call_capture_pause(void)
{
    weir_capture *capture = OBJECTS_PICK(captures);
    for (int i = 0; i < 4; i++) {
        const int64_t time_ns = (int64_t)draw_large();
        expect_known(draw_u8() % 2 ? weir_capture_pause(capture, time_ns)
                                   : weir_capture_resume(capture, time_ns));
    }
}

void call_capture_chapter(void)
{
    static const char *const titles[] = {"", "title", "\xc3\xa9t\xc3\xa9", "\xe9", NULL};
    expect_known(
        weir_capture_chapter(OBJECTS_PICK(captures), (int64_t)draw_large(), titles[draw_u8() % 5]));
}

// No file can be made there.
void call_capture_replay(void)
{
    static const char *const paths[] = {"/dev/null/replay.mov", "", NULL};
    expect_known(weir_capture_save_replay(OBJECTS_PICK(captures), paths[draw_u8() % 3],
                                          (int64_t)draw_large()));
}

void call_pure(void)
{
    const uint32_t width = draw_number(), height = draw_number(), level = draw_number();
    const VkExtent2D extent = weir_pyramid_level_extent(width, height, level);
    fuzz_expect(extent.width >= 1 && extent.height >= 1 &&
                    weir_pyramid_full_chain(width, height) <= 32,
                "sizes of levels");
    const enum weir_codec codec = (enum weir_codec)draw_number();
    const uint64_t size = weir_codec_image_size(codec, width, height);
    fuzz_expect(weir_codec_get_info(codec) || size == 0, "no size of no codec");
    weir_pyramid_method_get_info((enum weir_pyramid_method)draw_number());
    weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)draw_number());
    weir_pyramid_format_get_info(draw_format());
    weir_result_name((enum weir_result)draw_number());
}
