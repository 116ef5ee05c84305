// SPDX-License-Identifier: MIT
// Times of SINGLE and HYBRID at powers of two [us]: medians of one NVIDIA H200 (driver 580.159.04,
// 2026-11-26), hot, of the mean, and of the maximum where a format that the sampler may average is
// not filtered. `weir-bench pyramid --methods single,hybrid --no-cold --submits 25`, with
// --filter-half and --filter-srgb for half floats and sRGB that are filtered, --uint-views and 20
// submissions for words. That bench warmed up for 25 ms before each measurement, for words 100 ms.
#ifndef WEIR_TESTS_UNIT_PYRAMID_TIMES_H
#define WEIR_TESTS_UNIT_PYRAMID_TIMES_H

#include <stdint.h>

#include "pyramid/choice.h"

enum { NUM_SIDES = 8 };
static const uint32_t sides[NUM_SIDES] = {64, 128, 256, 512, 1024, 2048, 4096, 8192};

struct time {
    const char *format;
    enum weir_pyramid_reads reads;
    double single[NUM_SIDES], hybrid[NUM_SIDES];
};
static const struct time times[] = {
    {"rgba8_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.80, 5.72, 6.43, 7.07, 8.11, 12.58, 37.14, 116.60},
     {3.92, 6.08, 6.44, 6.76, 7.98, 12.39, 33.76, 102.88}},
    {"rgba8_srgb",
     WEIR_PYRAMID_FETCHED,
     {4.46, 6.45, 7.31, 7.71, 9.07, 14.86, 45.13, 146.52},
     {4.86, 7.42, 7.54, 7.92, 9.94, 18.83, 55.19, 187.40}},
    {"rgba8_srgb",
     WEIR_PYRAMID_FILTERED,
     {4.10, 5.94, 6.89, 7.40, 8.52, 13.23, 39.10, 121.80},
     {4.16, 6.40, 6.78, 7.19, 8.66, 14.88, 41.40, 132.61}},
    {"a2b10g10r10_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.85, 5.73, 6.44, 7.08, 8.06, 12.61, 37.04, 116.85},
     {3.92, 6.10, 6.46, 6.78, 7.96, 12.39, 33.70, 102.91}},
    {"b10g11r11_ufloat",
     WEIR_PYRAMID_FILTERED,
     {3.89, 5.75, 6.56, 7.10, 8.02, 12.27, 36.13, 113.14},
     {3.87, 6.03, 6.40, 6.74, 7.87, 12.82, 35.04, 108.47}},
    {"r8_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.69, 5.74, 6.34, 6.96, 7.80, 11.17, 23.24, 74.36},
     {3.72, 5.84, 6.21, 6.50, 7.22, 10.73, 21.29, 71.53}},
    {"r8_srgb",
     WEIR_PYRAMID_GATHERED,
     {3.78, 5.81, 6.40, 6.96, 7.86, 11.39, 24.08, 78.49},
     {3.94, 6.37, 6.48, 6.79, 7.49, 11.30, 23.13, 76.84}},
    {"r8_unorm",
     WEIR_PYRAMID_GATHERED,
     {3.74, 5.86, 6.40, 6.95, 7.75, 11.24, 23.51, 75.81},
     {3.81, 6.11, 6.29, 6.58, 7.39, 10.98, 22.22, 73.30}},
    {"rg8_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.74, 5.90, 6.54, 7.05, 8.00, 11.75, 28.43, 86.24},
     {3.79, 5.88, 6.36, 6.74, 7.49, 11.25, 24.58, 77.04}},
    {"rg8_unorm",
     WEIR_PYRAMID_FETCHED,
     {4.00, 6.17, 6.75, 7.22, 8.41, 12.30, 30.84, 97.46},
     {4.18, 6.54, 6.80, 7.17, 8.19, 13.54, 32.31, 105.02}},
    {"r16_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.69, 5.77, 6.36, 6.96, 7.87, 11.11, 26.22, 79.27},
     {3.72, 5.85, 6.27, 6.65, 7.36, 11.05, 24.67, 77.72}},
    {"r16_sfloat",
     WEIR_PYRAMID_GATHERED,
     {3.74, 5.90, 6.56, 7.20, 8.00, 11.38, 26.69, 81.14},
     {3.79, 6.12, 6.40, 6.76, 7.54, 11.28, 24.72, 79.48}},
    {"rg16_unorm",
     WEIR_PYRAMID_FILTERED,
     {3.80, 5.79, 6.44, 7.12, 8.16, 12.94, 35.94, 109.82},
     {3.86, 6.01, 6.41, 6.73, 7.94, 13.32, 37.53, 120.04}},
    {"rg16_sfloat",
     WEIR_PYRAMID_FETCHED,
     {4.24, 6.14, 6.84, 7.62, 8.52, 13.49, 38.40, 119.17},
     {4.62, 7.04, 7.15, 7.47, 9.30, 18.50, 51.62, 171.78}},
    {"rg16_sfloat",
     WEIR_PYRAMID_FILTERED,
     {3.78, 5.71, 6.49, 7.14, 8.08, 12.84, 36.03, 109.47},
     {3.88, 6.03, 6.43, 6.73, 7.97, 13.25, 37.39, 119.89}},
    {"rgba16_unorm",
     WEIR_PYRAMID_FILTERED,
     {4.05, 5.90, 6.54, 7.15, 8.79, 19.55, 56.90, 191.58},
     {4.05, 6.19, 6.71, 6.90, 8.98, 20.68, 60.38, 208.48}},
    {"rgba16_sfloat",
     WEIR_PYRAMID_FETCHED,
     {5.70, 7.61, 8.24, 9.09, 11.81, 27.23, 79.21, 277.37},
     {4.73, 7.14, 7.39, 7.55, 9.62, 22.20, 70.07, 242.29}},
    {"rgba16_sfloat",
     WEIR_PYRAMID_FILTERED,
     {4.08, 5.99, 6.65, 7.32, 8.64, 19.32, 57.51, 192.08},
     {4.05, 6.18, 6.71, 6.90, 9.12, 20.67, 60.24, 208.38}},
    {"rg16_sfloat",
     WEIR_PYRAMID_WORDS,
     {3.91, 5.96, 6.61, 7.32, 8.12, 13.05, 36.26, 111.04},
     {4.60, 7.11, 7.06, 7.40, 9.11, 18.08, 48.17, 156.87}},
    {"rgba16_sfloat",
     WEIR_PYRAMID_WORDS,
     {4.27, 6.34, 6.87, 7.44, 8.99, 18.82, 55.67, 187.78},
     {4.73, 7.19, 7.42, 7.54, 9.56, 22.42, 69.02, 239.41}},
    {"r32_sfloat",
     WEIR_PYRAMID_FILTERED,
     {3.76, 5.70, 6.54, 7.22, 7.96, 12.23, 33.49, 101.77},
     {3.81, 5.99, 6.36, 6.68, 7.74, 12.58, 35.00, 110.16}},
    {"r32_sfloat",
     WEIR_PYRAMID_GATHERED,
     {3.89, 5.82, 6.58, 7.23, 7.92, 12.54, 34.45, 104.39},
     {3.88, 6.24, 6.42, 6.76, 7.94, 13.03, 37.03, 118.99}},
    {"rg32_sfloat",
     WEIR_PYRAMID_FILTERED,
     {3.98, 5.90, 6.58, 7.23, 8.66, 20.87, 59.66, 195.90},
     {4.00, 6.16, 6.69, 6.90, 8.74, 20.18, 65.12, 232.94}},
    {"rgba32_sfloat",
     WEIR_PYRAMID_FILTERED,
     {4.81, 6.78, 7.50, 8.00, 11.12, 33.17, 100.36, 369.02},
     {4.90, 7.10, 7.50, 8.20, 11.83, 34.39, 99.20, 363.68}},
};
enum { NUM_TIMES = sizeof(times) / sizeof(times[0]) };

#endif
