// SPDX-License-Identifier: MIT
// The forms of docs/api.md that hold for every table of names: a table, its entries and their names
// agree. tests/gpu/null_test.c has NULL.

#include <weir/weir.h>

#include "tests/expect.h"

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
    test_tables();
    test_sizes();
    return test_finish();
}
