// SPDX-License-Identifier: MIT
// The modes of BC6H: Khronos Data Format Specification 1.3, section "BC6H" of chapter "BPTC".
#include "capture/files/block/bc6h_tables.h"

#include <stddef.h>

// Transformed, subsets, bits of endpoints, bits of the differences of R, G and B, runs.
#define HEAD(transformed, subsets, bits, dr, dg, db, runs)                                         \
    transformed, subsets, bits, {dr, dg, db}, runs
// clang-format off
#define R(endpoint, high, low) {0, endpoint, high, low}
#define G(endpoint, high, low) {1, endpoint, high, low}
#define B(endpoint, high, low) {2, endpoint, high, low}
// clang-format on

// Tables "Endpoint and partition parameters for BPTC block modes" and "Block descriptions for BC6H
// block modes".
static const struct weir_bc6h_mode modes[] = {
    // 0
    {HEAD(true, 2, 10, 5, 5, 5, 19),
     {G(2, 4, 4), B(2, 4, 4), B(3, 4, 4), R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 4, 0),
      G(3, 4, 4), G(2, 3, 0), G(1, 4, 0), B(3, 0, 0), G(3, 3, 0), B(1, 4, 0), B(3, 1, 1),
      B(2, 3, 0), R(2, 4, 0), B(3, 2, 2), R(3, 4, 0), B(3, 3, 3)}},
    // 1
    {HEAD(true, 2, 7, 6, 6, 6, 23),
     {G(2, 5, 5), G(3, 4, 4), G(3, 5, 5), R(0, 6, 0), B(3, 0, 0), B(3, 1, 1),
      B(2, 4, 4), G(0, 6, 0), B(2, 5, 5), B(3, 2, 2), G(2, 4, 4), B(0, 6, 0),
      B(3, 3, 3), B(3, 5, 5), B(3, 4, 4), R(1, 5, 0), G(2, 3, 0), G(1, 5, 0),
      G(3, 3, 0), B(1, 5, 0), B(2, 3, 0), R(2, 5, 0), R(3, 5, 0)}},
    // 2
    {HEAD(true, 2, 11, 5, 4, 4, 18),
     {R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 4, 0), R(0, 10, 10), G(2, 3, 0), G(1, 3, 0),
      G(0, 10, 10), B(3, 0, 0), G(3, 3, 0), B(1, 3, 0), B(0, 10, 10), B(3, 1, 1), B(2, 3, 0),
      R(2, 4, 0), B(3, 2, 2), R(3, 4, 0), B(3, 3, 3)}},
    // 6
    {HEAD(true, 2, 11, 4, 5, 4, 20),
     {R(0, 9, 0), G(0, 9, 0),   B(0, 9, 0), R(1, 3, 0), R(0, 10, 10), G(3, 4, 4), G(2, 3, 0),
      G(1, 4, 0), G(0, 10, 10), G(3, 3, 0), B(1, 3, 0), B(0, 10, 10), B(3, 1, 1), B(2, 3, 0),
      R(2, 3, 0), B(3, 0, 0),   B(3, 2, 2), R(3, 3, 0), G(2, 4, 4),   B(3, 3, 3)}},
    // 10
    {HEAD(true, 2, 11, 4, 4, 5, 20),
     {R(0, 9, 0), G(0, 9, 0),   B(0, 9, 0), R(1, 3, 0), R(0, 10, 10), B(2, 4, 4),   G(2, 3, 0),
      G(1, 3, 0), G(0, 10, 10), B(3, 0, 0), G(3, 3, 0), B(1, 4, 0),   B(0, 10, 10), B(2, 3, 0),
      R(2, 3, 0), B(3, 1, 1),   B(3, 2, 2), R(3, 3, 0), B(3, 4, 4),   B(3, 3, 3)}},
    // 14
    {HEAD(true, 2, 9, 5, 5, 5, 19),
     {R(0, 8, 0), B(2, 4, 4), G(0, 8, 0), G(2, 4, 4), B(0, 8, 0), B(3, 4, 4), R(1, 4, 0),
      G(3, 4, 4), G(2, 3, 0), G(1, 4, 0), B(3, 0, 0), G(3, 3, 0), B(1, 4, 0), B(3, 1, 1),
      B(2, 3, 0), R(2, 4, 0), B(3, 2, 2), R(3, 4, 0), B(3, 3, 3)}},
    // 18
    {HEAD(true, 2, 8, 6, 5, 5, 19),
     {R(0, 7, 0), G(3, 4, 4), B(2, 4, 4), G(0, 7, 0), B(3, 2, 2), G(2, 4, 4), B(0, 7, 0),
      B(3, 3, 3), B(3, 4, 4), R(1, 5, 0), G(2, 3, 0), G(1, 4, 0), B(3, 0, 0), G(3, 3, 0),
      B(1, 4, 0), B(3, 1, 1), B(2, 3, 0), R(2, 5, 0), R(3, 5, 0)}},
    // 22
    {HEAD(true, 2, 8, 5, 6, 5, 21),
     {R(0, 7, 0), B(3, 0, 0), B(2, 4, 4), G(0, 7, 0), G(2, 5, 5), G(2, 4, 4), B(0, 7, 0),
      G(3, 5, 5), B(3, 4, 4), R(1, 4, 0), G(3, 4, 4), G(2, 3, 0), G(1, 5, 0), G(3, 3, 0),
      B(1, 4, 0), B(3, 1, 1), B(2, 3, 0), R(2, 4, 0), B(3, 2, 2), R(3, 4, 0), B(3, 3, 3)}},
    // 26
    {HEAD(true, 2, 8, 5, 5, 6, 21),
     {R(0, 7, 0), B(3, 1, 1), B(2, 4, 4), G(0, 7, 0), B(2, 5, 5), G(2, 4, 4), B(0, 7, 0),
      B(3, 5, 5), B(3, 4, 4), R(1, 4, 0), G(3, 4, 4), G(2, 3, 0), G(1, 4, 0), B(3, 0, 0),
      G(3, 3, 0), B(1, 5, 0), B(2, 3, 0), R(2, 4, 0), B(3, 2, 2), R(3, 4, 0), B(3, 3, 3)}},
    // 30
    {HEAD(false, 2, 6, 6, 6, 6, 23),
     {R(0, 5, 0), G(3, 4, 4), B(3, 0, 0), B(3, 1, 1), B(2, 4, 4), G(0, 5, 0),
      G(2, 5, 5), B(2, 5, 5), B(3, 2, 2), G(2, 4, 4), B(0, 5, 0), G(3, 5, 5),
      B(3, 3, 3), B(3, 5, 5), B(3, 4, 4), R(1, 5, 0), G(2, 3, 0), G(1, 5, 0),
      G(3, 3, 0), B(1, 5, 0), B(2, 3, 0), R(2, 5, 0), R(3, 5, 0)}},
    // 3
    {HEAD(false, 1, 10, 10, 10, 10, 6),
     {R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 9, 0), G(1, 9, 0), B(1, 9, 0)}},
    // 7
    {HEAD(true, 1, 11, 9, 9, 9, 9),
     {R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 8, 0), R(0, 10, 10), G(1, 8, 0), G(0, 10, 10),
      B(1, 8, 0), B(0, 10, 10)}},
    // 11
    {HEAD(true, 1, 12, 8, 8, 8, 9),
     {R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 7, 0), R(0, 10, 11), G(1, 7, 0), G(0, 10, 11),
      B(1, 7, 0), B(0, 10, 11)}},
    // 15
    {HEAD(true, 1, 16, 4, 4, 4, 9),
     {R(0, 9, 0), G(0, 9, 0), B(0, 9, 0), R(1, 3, 0), R(0, 10, 15), G(1, 3, 0), G(0, 10, 15),
      B(1, 3, 0), B(0, 10, 15)}},
};

// Rows of the table by the five lowest bits; -1: reserved. Where the lowest two are 0 or 1, they
// are the mode.
static const int8_t rows[32] = {
    0, 1, 2, 10, 0, 1, 3, 11, 0, 1, 4, 12, 0, 1, 5, 13,
    0, 1, 6, -1, 0, 1, 7, -1, 0, 1, 8, -1, 0, 1, 9, -1,
};

const struct weir_bc6h_mode *weir_bc6h_get_mode(unsigned low_bits, unsigned *num_bits)
{
    *num_bits = (low_bits & 3) < 2 ? 2 : 5;
    return rows[low_bits] < 0 ? NULL : &modes[rows[low_bits]];
}
