// SPDX-License-Identifier: MIT
// The forms of docs/api.md that hold for every object and every table of names: params and stats of
// NULL are zero; a table, its entries and their names agree.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <weir/weir.h>

#include "tests/expect.h"

static bool is_zero(const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    while (size > 0 && p[size - 1] == 0) {
        size--;
    }
    return size == 0;
}

#define EXPECT_ZERO(type, call)                                                                    \
    do {                                                                                           \
        const type got = call;                                                                     \
        test_expect(is_zero(&got, sizeof(got)), #call " is zero");                                 \
    } while (0)

static void test_null(void)
{
    EXPECT_ZERO(struct weir_image_params, weir_image_get_params(NULL));
    EXPECT_ZERO(struct weir_buffer_params, weir_buffer_get_params(NULL));
    EXPECT_ZERO(struct weir_encoder_params, weir_encoder_get_params(NULL));
    EXPECT_ZERO(struct weir_rdo_params, weir_rdo_get_params(NULL));
    EXPECT_ZERO(struct weir_snappy_params, weir_snappy_get_params(NULL));
    EXPECT_ZERO(struct weir_pyramid_params, weir_pyramid_get_params(NULL));
    EXPECT_ZERO(struct weir_pyramid_target_params, weir_pyramid_target_get_params(NULL));
    EXPECT_ZERO(struct weir_palette_params, weir_palette_get_params(NULL));
    EXPECT_ZERO(struct weir_palette_stats, weir_palette_get_stats(NULL));
    EXPECT_ZERO(struct weir_readback_params, weir_readback_get_params(NULL));
    EXPECT_ZERO(struct weir_capture_params, weir_capture_get_params(NULL));
    EXPECT_ZERO(struct weir_capture_stats, weir_capture_get_stats(NULL));
    EXPECT_ZERO(struct weir_queue, weir_context_get_queue(NULL));
    EXPECT_ZERO(struct weir_log, weir_context_get_log(NULL));
    EXPECT_ZERO(struct weir_pyramid_scope, weir_pyramid_get_scope(NULL));
    EXPECT_ZERO(VkSurfaceKHR, weir_device_get_surface(NULL));
    test_expect(!weir_context_is_async(NULL), "no context is asynchronous");
    test_expect(!weir_device_import(NULL), "no device is imported");
    test_expect(weir_device_get_num_messages(NULL) == 0, "no device has messages");
    test_expect(!weir_slot_buffer(NULL, NULL), "no ring has a buffer");
    test_expect(!weir_slot_result(NULL, NULL), "no ring has a result");
    test_expect(!weir_readback_history(NULL), "no ring has a history");
    test_expect(!weir_encoder_reads(NULL, NULL), "no encoder reads");
    test_expect(weir_encode_size(NULL, NULL) == 0, "no encode has a size");
    test_expect(weir_pyramid_target_get_num_dispatches(NULL) == 0, "no target has dispatches");
    test_expect(weir_pyramid_target_get_method(NULL) == WEIR_PYRAMID_AUTO,
                "no target has a method");
    // Nothing is recorded: no function of Vulkan is called.
    const struct weir_frame empty = {0};
    for (int i = 0; i < 2; i++) {
        const struct weir_frame *frame = i == 0 ? NULL : &empty;
        test_expect(!weir_frame_changes_owner(frame), "no image changes its owner");
        weir_cmd_frame_release(frame, VK_NULL_HANDLE, 0, 0);
        weir_cmd_frame_acquire(frame, VK_NULL_HANDLE, 0, 0);
    }
}

// Each entry of a table is found by its value and by its name; other names and values are not.
#define EXPECT_TABLE(prefix, type, value, wrong)                                                   \
    do {                                                                                           \
        size_t num_entries = 0;                                                                    \
        const struct prefix##_info *entries = prefix##_list(&num_entries);                         \
        type found;                                                                                \
        test_expect(num_entries > 0, #prefix "_list() has entries");                               \
        for (size_t i = 0; i < num_entries; i++) {                                                 \
            test_expect(prefix##_get_info(entries[i].value) == &entries[i],                        \
                        #prefix "_get_info()");                                                    \
            test_expect(prefix##_by_name(entries[i].name, &found) && found == entries[i].value,    \
                        #prefix "_by_name()");                                                     \
        }                                                                                          \
        test_expect(!prefix##_get_info(wrong), #prefix "_get_info() of no value");                 \
        test_expect(!prefix##_by_name("", &found) && !prefix##_by_name("none", &found),            \
                    #prefix "_by_name() of no name");                                              \
    } while (0)

static void test_tables(void)
{
    EXPECT_TABLE(weir_codec, enum weir_codec, codec, (enum weir_codec)999);
    EXPECT_TABLE(weir_movie_codec, enum weir_movie_codec, codec, (enum weir_movie_codec)999);
    EXPECT_TABLE(weir_pyramid_method, enum weir_pyramid_method, method,
                 (enum weir_pyramid_method)999);
    EXPECT_TABLE(weir_pyramid_reduction, enum weir_pyramid_reduction, reduction,
                 (enum weir_pyramid_reduction)999);
    EXPECT_TABLE(weir_pyramid_format, VkFormat, format, VK_FORMAT_UNDEFINED);
    size_t num_requirements = 0;
    const struct weir_requirement *requirements = weir_requirement_list(&num_requirements);
    test_expect(requirements && num_requirements > 0, "weir_requirement_list() has entries");
}

// Numbers that no image has.
static void test_sizes(void)
{
    static const uint32_t levels[] = {31, 32, 33, 64, UINT32_MAX};
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(UINT32_MAX, 5, levels[i]);
        test_expect(extent.width == 1 && extent.height == 1, "the last levels are 1x1");
    }
    test_expect(weir_pyramid_full_chain(UINT32_MAX, 1) == 32, "the longest chain has 32 levels");
    test_expect(weir_codec_image_size(WEIR_CODEC_BC7, UINT32_MAX, UINT32_MAX) == 0,
                "a size of 2^64 bytes is 0");
    test_expect(weir_codec_image_size(WEIR_CODEC_BC7, UINT32_MAX, UINT32_MAX - 4) ==
                    UINT64_MAX - 0x3ffffffff,
                "the size below it");
    test_expect(weir_codec_image_size(WEIR_CODEC_BC1, UINT32_MAX, UINT32_MAX) == UINT64_C(1) << 63,
                "2^63 bytes");
    test_expect(weir_movie_codec_frame_size(WEIR_MOVIE_CODEC_HAP_Q_ALPHA, UINT32_MAX, UINT32_MAX) ==
                    0,
                "a frame of more than 2^64 bytes is 0");
    weir_log_print_stderr(NULL, &(struct weir_log_message){.severity = (enum weir_log_severity)99,
                                                           .text = "of an unknown severity"});
}

int main(void)
{
    test_null();
    test_tables();
    test_sizes();
    return test_finish();
}
