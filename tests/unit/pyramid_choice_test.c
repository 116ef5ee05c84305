// SPDX-License-Identifier: MIT
// AUTO chooses between three methods by a table, which is held here against measured times.
#include "pyramid/plan.h"

#include <stdio.h>

#include "tests/expect.h"
#include "tests/unit/pyramid_times.h"

// A time that is so much longer is as good: what two runs differ by.
static const double as_good = 1.02;

static void expect(bool condition, const char *format, uint32_t side, const char *what)
{
    test_expect(condition, "%s, %ux%u: %s", format, side, side, what);
}

static const struct weir_pyramid_format_info *find_format(const char *name)
{
    VkFormat format = VK_FORMAT_UNDEFINED;
    return weir_pyramid_format_by_name(name, &format) ? weir_pyramid_format_get_info(format) : NULL;
}

static struct weir_pyramid_geometry chain(uint32_t width, uint32_t height)
{
    return (struct weir_pyramid_geometry){
        .width = width,
        .height = height,
        .num_levels = weir_pyramid_full_chain(width, height) - 1,
    };
}

// Get the time of a method at the i-th size, 0 if it was not measured.
static double time_of(const struct time *time, enum weir_pyramid_method method, size_t i)
{
    return method == WEIR_PYRAMID_SINGLE   ? time->single[i]
           : method == WEIR_PYRAMID_HYBRID ? time->hybrid[i]
                                           : time->subgroup[i];
}

// At each size that was measured, the method is the fastest one.
static void test_measured(const struct time *time, const struct weir_pyramid_format_info *format)
{
    static const enum weir_pyramid_method others[] = {WEIR_PYRAMID_SINGLE, WEIR_PYRAMID_HYBRID,
                                                      WEIR_PYRAMID_SUBGROUP};
    for (size_t i = 0; i < NUM_SIDES; i++) {
        const struct weir_pyramid_geometry geometry = chain(sides[i], sides[i]);
        const enum weir_pyramid_method method = weir_pyramid_choose(&geometry, format, time->reads);
        const double chosen = time_of(time, method, i);
        expect(chosen > 0, time->format, sides[i], "the method was not measured");
        for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
            const double other = time_of(time, others[k], i);
            expect(other == 0 || chosen <= other * as_good, time->format, sides[i],
                   weir_pyramid_method_get_info(others[k])->name);
        }
    }
}

// Other methods than SINGLE are chosen for whole chains of squares of powers of two only.
static void test_sides(const struct time *time, const struct weir_pyramid_format_info *format)
{
    static const uint32_t others[][2] = {
        {1920, 1080}, {2047, 2047}, {4095, 4095}, {3095, 990},
        {3072, 3072}, {4096, 2048}, {2052, 2052}, {16383, 16384},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const struct weir_pyramid_geometry geometry = chain(others[i][0], others[i][1]);
        expect(weir_pyramid_choose(&geometry, format, time->reads) == WEIR_PYRAMID_SINGLE,
               time->format, others[i][0], "not SINGLE for another size");
    }
    struct weir_pyramid_geometry part = chain(4096, 4096);
    part.num_levels--;
    expect(weir_pyramid_choose(&part, format, time->reads) == WEIR_PYRAMID_SINGLE, time->format,
           4096, "not SINGLE for a part of a chain");
}

int main(void)
{
    uint32_t num_of[WEIR_PYRAMID_BLIT + 1] = {0};
    for (size_t i = 0; i < NUM_TIMES; i++) {
        const struct weir_pyramid_format_info *format = find_format(times[i].format);
        if (!format) {
            printf("FAILED: no format %s\n", times[i].format);
            return 1;
        }
        test_measured(&times[i], format);
        test_sides(&times[i], format);
        const struct weir_pyramid_geometry geometry = chain(4096, 4096);
        num_of[weir_pyramid_choose(&geometry, format, times[i].reads)]++;
    }
    expect(num_of[WEIR_PYRAMID_SINGLE] > 0 && num_of[WEIR_PYRAMID_HYBRID] > 0 &&
               num_of[WEIR_PYRAMID_SUBGROUP] > 0,
           "all formats", 4096, "a method is never chosen");
    return test_finish();
}
