// SPDX-License-Identifier: MIT
// AUTO chooses between three methods by a table, which is held here against measured times.
#include "pyramid/plan.h"

#include <stdio.h>

#include "tests/expect.h"
#include "tests/unit/pyramid_times.h"

// A time that is so much longer is as good.
static const double as_good = 1.03;

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

static const enum weir_pyramid_method methods[] = {WEIR_PYRAMID_SINGLE, WEIR_PYRAMID_HYBRID,
                                                   WEIR_PYRAMID_SUBGROUP};
enum { NUM_METHODS = sizeof(methods) / sizeof(methods[0]) };

// Get the time of a method at the i-th size.
static double time_of(const struct time *time, enum weir_pyramid_method method, int cache, size_t i)
{
    return method == WEIR_PYRAMID_SINGLE   ? time->single[cache][i]
           : method == WEIR_PYRAMID_HYBRID ? time->hybrid[cache][i]
                                           : time->subgroup[cache][i];
}

// At each size the method is as good as every other one, hot and cold, or else the fastest by the
// mean of hot and cold.
static void test_measured(const struct time *time, const struct weir_pyramid_format_info *format)
{
    for (size_t i = 0; i < NUM_SIDES; i++) {
        const struct weir_pyramid_geometry geometry = chain(sides[i], sides[i]);
        const enum weir_pyramid_method method = weir_pyramid_choose(&geometry, format, time->reads);
        for (size_t k = 0; k < NUM_METHODS; k++) {
            double sum = 0, most = 0; // of the method's time over that of another
            for (int cache = HOT; cache < NUM_CACHES; cache++) {
                const double ratio = time_of(time, method, cache, i) /
                                     time_of(time, methods[k], cache, i);
                sum += ratio;
                most = ratio > most ? ratio : most;
            }
            expect(most <= as_good || sum <= NUM_CACHES, time->format, sides[i],
                   weir_pyramid_method_get_info(methods[k])->name);
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
