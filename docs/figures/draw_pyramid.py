#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of docs/pyramid.md.

python3 docs/figures/draw_pyramid.py writes docs/images/pyramid_*.svg.
"""
import math
import sys

sys.dont_write_bytecode = True
from svg import COLORS, INK, LINE, MUTED, RED, Page, write_all

BLUE, ORANGE, GREEN, PURPLE = COLORS


def level_size(size, level):
    return max(1, size >> level)


def odd_weights(size):
    """The weights of each output of an axis of odd size, in units of 1 / size."""
    n = size >> 1
    return [(n - i, n, i + 1) for i in range(n)]


def strip(page, x, y, width, height, dispatches, row=19):
    """The levels of a chain as bars, and the dispatches that make them: (levels, colour, name)."""
    page.text(x, y - 8, f"{width}x{height}", bold=True)
    levels = sum(count for count, _, _ in dispatches) + 1

    def bar(level, color):
        w, h = level_size(width, level), level_size(height, level)
        length = 16 + 9 * math.log2(w)
        page.rect(x, y + level * row, length, row - 6, color[1], color[0])
        page.text(x + length + 6, y + level * row + 10, f"{w}x{h}", MUTED, 10)

    bar(0, (MUTED, "#eceff2"))
    level = 1
    right = x + 186
    for index, (count, color, name) in enumerate(dispatches):
        for k in range(level, level + count):
            bar(k, color)
        top, bottom = y + level * row, y + (level + count) * row - 6
        ends = [(right, top + 1), (right + 5, top + 1), (right + 5, bottom - 1),
                (right, bottom - 1)]
        page.path(ends, color[0], 1.4)
        page.text(right + 11, (top + bottom) / 2 + 4, name, color[0], 11)
        level += count
        if index + 1 < len(dispatches):
            page.line(x, bottom + 3, right, bottom + 3, RED, 1.2, "3 3")
    return y + levels * row


def legend_barrier(page, x, y):
    page.line(x, y - 4, x + 26, y - 4, RED, 1.2, "3 3")
    page.text(x + 32, y, "barrier: the GPU drains, then fills again", MUTED, 11)


def draw_taps():
    page = Page(760, 356)
    x, cell = 40, 60
    page.text(x, 30, "7 texels to 3: each output takes what lies under it", bold=True)
    for i in range(3):
        page.rect(x + i * 140, 44, 140, 30, COLORS[i][1], COLORS[i][0], 1.4)
        page.text(x + i * 140 + 70, 64, f"output {i}", COLORS[i][0], 12, "middle")
    for t in range(7):
        for i in range(3):
            lo, hi = max(t, i * 7 / 3), min(t + 1, (i + 1) * 7 / 3)
            if hi > lo:
                page.rect(x + lo * cell, 84, (hi - lo) * cell, 34, COLORS[i][1])
        page.rect(x + t * cell, 84, cell, 34, "none", MUTED)
        page.text(x + t * cell + 30, 106, str(t), INK, 12, "middle")
    for i, weights in enumerate(odd_weights(7)):
        for k, w in enumerate(weights):
            page.text(x + (2 * i + k) * cell + 30, 136 + 17 * i, f"{w}/7", COLORS[i][0], 12,
                      "middle")
        page.text(x + 7 * cell + 24, 136 + 17 * i, f"weights of output {i}", COLORS[i][0], 11)
    page.text(x + 7 * cell + 24, 106, "each texel counts 3/7 in all", MUTED, 11)

    page.text(x, 212, "5 texels to 2: how much each of the five counts in the two together",
              bold=True)
    counted = [("exact", [.4] * 5, BLUE), ("blit", [.25, .75, 0, .75, .25], ORANGE)]
    for column, (name, counts, color) in enumerate(counted):
        left = x + column * 350
        page.text(left, 238, name, color[0], 12, bold=True)
        for t, count in enumerate(counts):
            page.rect(left + t * cell + 5, 320 - 90 * count, cell - 10, 90 * count, color[1],
                      color[0])
            page.text(left + t * cell + 30, 314 - 90 * count, f"{count:g}",
                      RED if count == 0 else color[0], 12, "middle")
            page.text(left + t * cell + 30, 338, str(t), MUTED, 11, "middle")
        page.line(left, 320, left + 5 * cell, 320, INK)
    return page


def draw_blit():
    page = Page(760, 262)
    x, y, cell = 40, 48, 36
    page.text(x, 30, "A filter takes four texels around each centre", bold=True)
    page.grid(x, y, 5, 5, cell)
    for row in range(2):
        for column in range(2):
            cx, cy = x + (1.25 + 2.5 * column) * cell, y + (1.25 + 2.5 * row) * cell
            page.rect(x + (0 if column == 0 else 3) * cell, y + (0 if row == 0 else 3) * cell,
                      2 * cell, 2 * cell, ORANGE[1], ORANGE[0])
            page.dot(cx, cy, 4, ORANGE[0])
    page.rect(x + 2 * cell, y, cell, 5 * cell, "none", RED, 1.4)
    page.rect(x, y + 2 * cell, 5 * cell, cell, "none", RED, 1.4)
    page.text(x + 5 * cell + 10, y + 2.5 * cell + 4, "never read", RED)
    dispatches = [(1, ORANGE, f"blit {i + 1}") for i in range(5)]
    strip(page, 430, y, 40, 40, dispatches)
    page.text(430, y + 6 * 19 + 22, "and so on: a command and a barrier a level,", MUTED, 11)
    page.text(430, y + 6 * 19 + 38, "on a queue with graphics", MUTED, 11)
    legend_barrier(page, 430, y + 6 * 19 + 66)
    return page


def draw_per_level():
    page = Page(760, 262)
    x, y, cell = 40, 48, 26
    page.text(x, 30, "7x5 texels to 3x2: an invocation a texel, up to nine taps", bold=True)
    page.grid(x, y, 7, 5, cell)
    page.rect(x + 2 * cell, y, 3 * cell, 3 * cell, BLUE[1], BLUE[0], 1.6, fill_opacity="0.9")
    page.rect(x + 4 * cell, y, 3 * cell, 3 * cell, ORANGE[1], ORANGE[0], 1.6, fill_opacity="0.7")
    page.grid(x, y, 7, 5, cell)
    page.rect(x + 2 * cell, y, 3 * cell, 3 * cell, "none", BLUE[0], 1.8)
    page.rect(x + 4 * cell, y, 3 * cell, 3 * cell, "none", ORANGE[0], 1.8)
    small = 40
    page.grid(x + 240, y + 25, 3, 2, small)
    page.rect(x + 240 + small, y + 25, small, small, BLUE[1], BLUE[0], 1.6)
    page.rect(x + 240 + 2 * small, y + 25, small, small, ORANGE[1], ORANGE[0], 1.6)
    page.arrow(x + 7 * cell + 10, y + 2.5 * cell, x + 232, y + 2.5 * cell)
    page.text(x, y + 5 * cell + 26, "At odd sizes neighbours share a row and a column", MUTED, 11)
    page.text(x, y + 5 * cell + 42, "of texels. A workgroup is 16x16 invocations.", MUTED, 11)
    strip(page, 470, y, 40, 40, [(1, BLUE if i % 2 == 0 else PURPLE, f"{i + 1}") for i in range(5)])
    page.text(470, y + 6 * 19 + 22, "a dispatch and a barrier a level", MUTED, 11)
    legend_barrier(page, 470, y + 6 * 19 + 48)
    return page


def draw_subgroup():
    page = Page(760, 316)
    x, y, cell = 40, 52, 13
    page.text(x, 30, "Level 1: 16x16 texels", bold=True)
    for s in range(8):
        left, top = x + (s % 2) * 8 * cell, y + (s // 2) * 4 * cell
        page.rect(left, top, 8 * cell, 4 * cell, COLORS[s % 2 if s // 2 % 2 == 0 else 1 - s % 2][1],
                  MUTED, 1.4)
        page.text(left + 4 * cell, top + 2 * cell + 4, f"subgroup {s}", MUTED, 10, "middle")
    page.text(x, y + 16 * cell + 22, "Here subgroups of 32: 8x4 texels.", MUTED, 11)
    page.text(x, y + 16 * cell + 38, "4: 2x2, 8: 4x2, 16: 4x4, 64: 8x8.", MUTED, 11)
    x, cell = 290, 26
    page.text(x, 30, "In a subgroup: lanes, row by row", bold=True)
    page.grid(x, y, 8, 4, cell, BLUE[1], "#ffffff")
    page.rect(x, y, 8 * cell, 4 * cell, "none", BLUE[0])
    for lane in range(32):
        page.text(x + (lane % 8 + 0.5) * cell, y + (lane // 8 + 0.62) * cell, str(lane), MUTED, 9,
                  "middle")
    page.arrow(x + 1.5 * cell, y + 0.22 * cell, x + 0.55 * cell, y + 0.22 * cell, RED)
    page.arrow(x + 0.2 * cell, y + 1.5 * cell, x + 0.2 * cell, y + 0.62 * cell, RED)
    steps = [("level 2", "xor 1, then xor 8"),
             ("level 3", "xor 2, then xor 16"),
             ("level 4", "xor 4, then shared memory"),
             ("level 5", "shared memory")]
    for i, (level, how) in enumerate(steps):
        page.text(x, y + 4 * cell + 28 + 20 * i, level, BLUE[0], 12, bold=True)
        page.text(x + 56, y + 4 * cell + 28 + 20 * i, how, INK, 12)
    strip(page, 544, y, 2048, 2048, [(1, BLUE, "1"), (5, ORANGE, "2"), (5, GREEN, "3")])
    legend_barrier(page, 290, 296)
    return page


def morton(index):
    return (sum((index >> 2 * b & 1) << b for b in range(4)),
            sum((index >> 2 * b + 1 & 1) << b for b in range(4)))


def draw_fast():
    page = Page(760, 316)
    x, y, cell = 40, 52, 26
    page.text(x, 30, "Invocations in Morton order", bold=True)
    for q in range(16):
        cx, cy = morton(4 * q)
        page.rect(x + cx * cell, y + cy * cell, 2 * cell, 2 * cell, COLORS[(q // 4) % 4][1],
                  "#ffffff", 2)
    for i in range(64):
        cx, cy = morton(i)
        page.text(x + (cx + 0.5) * cell, y + (cy + 0.62) * cell, str(i), MUTED, 9, "middle")
    points = [morton(i) for i in range(64)]
    way = " L".join(f"{x + (cx + .5) * cell:g} {y + (cy + .5) * cell:g}" for cx, cy in points)
    page.add("path", d=f"M{way}", fill="none", stroke=INK, stroke_width=1.0, stroke_opacity="0.25")
    page.text(x, y + 8 * cell + 22, "The four that become one are neighbours", MUTED, 11)
    page.text(x, y + 8 * cell + 38, "by number, at every level.", MUTED, 11)
    x = 290
    page.text(x, 30, "Who collects from whom", bold=True)
    steps = [("level 1", "one bilinear tap, or four fetches"),
             ("level 2", "0 from 1, 2, 3: shuffles xor 1, 2, 3"),
             ("level 3", "0 from 4, 8, 12"),
             ("level 4", "0 from 16, 32, 48 in subgroups"), ("", "of 64, else shared memory"),
             ("level 5", "shared memory"),
             ("6 levels", "an invocation first makes four"), ("", "texels of level 1")]
    for i, (level, how) in enumerate(steps):
        page.text(x, y + 14 + 21 * i, level, ORANGE[0], 11, bold=True)
        page.text(x + 58, y + 14 + 21 * i, how, INK, 11)
    strip(page, 544, y, 2048, 2048, [(6, BLUE, "1"), (5, ORANGE, "2")])
    legend_barrier(page, 290, 296)
    return page


def draw_general():
    page = Page(760, 316)
    x, y, cell = 40, 52, 7
    page.text(x, 30, "Two workgroups at odd sizes", bold=True)
    side = 17 * cell
    page.rect(x, y, side, side, BLUE[1], BLUE[0], 1.4)
    page.rect(x + 16 * cell, y, side, side, ORANGE[1], ORANGE[0], 1.4, fill_opacity="0.8")
    page.rect(x + 16 * cell, y, cell, side, GREEN[0], None, fill_opacity="0.55")
    page.grid(x, y, 33, 17, cell, "none", "#ffffff", 0.6)
    page.rect(x, y, side, side, "none", BLUE[0], 1.4)
    page.rect(x + 16 * cell, y, side, side, "none", ORANGE[0], 1.4)
    page.text(x, y + side + 20, "17x17 of level 1 each, in shared memory.", INK, 11)
    page.text(x, y + side + 36, "Both make the green column, alike;", GREEN[0], 11)
    page.text(x, y + side + 52, "the right one stores it.", GREEN[0], 11)
    page.rect(x, y + side + 72, 8 * cell * 2, 40, BLUE[1], BLUE[0], 1.4)
    page.rect(x + 16 * cell, y + side + 72, 8 * cell * 2, 40, ORANGE[1], ORANGE[0], 1.4)
    page.text(x + 8 * cell, y + side + 97, "8x8 of level 2", BLUE[0], 11, "middle")
    page.text(x + 24 * cell, y + side + 97, "8x8 of level 2", ORANGE[0], 11, "middle")
    strip(page, 306, y, 1920, 1080, [(2, COLORS[i % 4], f"{i + 1}") for i in range(5)])
    strip(page, 540, y, 2047, 2047, [(2, COLORS[i % 4], f"{i + 1}") for i in range(5)])
    legend_barrier(page, 306, 296)
    return page


def draw_hybrid():
    page = Page(760, 316)
    y = 52
    page.text(40, 24, "fast", ORANGE[0], 12, bold=True)
    page.text(80, 24, "general", BLUE[0], 12, bold=True)
    page.text(148, 24, "per level", PURPLE[0], 12, bold=True)
    page_y = y + 8
    strip(page, 40, page_y, 1920, 1080, [(3, ORANGE, "1"), (2, BLUE, "2"), (2, BLUE, "3"),
                                         (2, BLUE, "4"), (1, PURPLE, "5")])
    strip(page, 285, page_y, 2048, 2048, [(6, ORANGE, "1"), (5, ORANGE, "2")])
    strip(page, 530, page_y, 2047, 2047, [(2, BLUE, f"{i + 1}") for i in range(5)])
    legend_barrier(page, 40, 300)
    return page


def draw_single_tile():
    sizes, cell = [27, 13, 6, 3], 22
    page = Page(760, 292)
    x, y = 40, 58
    page.text(x, 30, "One axis of 27 texels in three tiles, cut by the last level of the stage",
              bold=True)
    for j, size in enumerate(sizes):
        up = 3 - j
        width = 27 * cell / size
        top = y + 50 * j
        page.text(x + 27 * cell + 14, top + 20, f"level {j}: {size}", MUTED, 11)
        spans = []
        for t in range(3):
            count = min(((t + 1) << up) + (size & ((1 << up) - 1)), size) - (t << up)
            spans.append((t << up, (t << up) + count))
        for i in range(size):
            owners = [t for t, (lo, hi) in enumerate(spans) if lo <= i < hi]
            for k, t in enumerate(owners):
                page.rect(x + i * width, top + 30 * k / len(owners), width, 30 / len(owners),
                          COLORS[t][1])
            page.rect(x + i * width, top, width, 30, "none", LINE)
            if len(owners) > 1:
                page.rect(x + i * width, top, width, 30, "none", RED, 1.2)
        for t, (lo, hi) in enumerate(spans):
            page.line(x + lo * width + 1.5, top + 30 + 3 + 3 * t, x + hi * width - 1.5,
                      top + 33 + 3 * t, COLORS[t][0], 2)
    for t in range(3):
        page.text(x + (t + 0.5) * 9 * cell, y + 50 * 3 + 20, f"tile {t}", COLORS[t][0], 12,
                  "middle", True)
    page.text(x, 278, "Framed: the halo, texels that two tiles read or make alike. "
              "The lines show what each tile covers.", MUTED, 11)
    return page


def draw_single_flow():
    page = Page(760, 348)
    x, y, row = 130, 62, 26
    page.text(40, 30, "Eight workgroups, a chain of three stages, one dispatch", bold=True)
    first = [190, 150, 230, 170, 205, 260, 180, 160]  # when each ends its first tile
    for i, end in enumerate(first):
        top = y + row * i
        page.text(40, top + 14, f"workgroup {i}", MUTED, 11)
        page.rect(x, top, end, 18, BLUE[1], BLUE[0])
        page.text(x + 8, top + 13, f"stage 1, tile {i}", BLUE[0], 10)
    for group, (members, last, length) in enumerate([(range(0, 4), 2, 130), (range(4, 8), 5, 120)]):
        top = y + row * last
        start = x + first[last] + 16
        page.rect(start, top, length, 18, ORANGE[1], ORANGE[0])
        page.text(start + 8, top + 13, f"stage 2, tile {group}", ORANGE[0], 10)
        order = sorted(members, key=lambda i: first[i])
        for n, i in enumerate(order):
            page.dot(x + first[i] + 1, y + row * i + 9, 7.5, RED if i == last else MUTED)
            page.text(x + first[i] + 1, y + row * i + 13, str(n + 1), "#ffffff", 10, "middle", True)
    ends = [x + first[2] + 16 + 130, x + first[5] + 16 + 120]
    page.dot(ends[0] + 1, y + row * 2 + 9, 7.5, MUTED)
    page.text(ends[0] + 1, y + row * 2 + 13, "1", "#ffffff", 10, "middle", True)
    page.dot(ends[1] + 1, y + row * 5 + 9, 7.5, RED)
    page.text(ends[1] + 1, y + row * 5 + 13, "2", "#ffffff", 10, "middle", True)
    page.rect(ends[1] + 16, y + row * 5, 120, 18, GREEN[1], GREEN[0])
    page.text(ends[1] + 24, y + row * 5 + 13, "stage 3: the rest", GREEN[0], 10)
    page.arrow(x, y + row * 8 + 12, 720, y + row * 8 + 12, MUTED)
    page.text(720, y + row * 8 + 30, "time", MUTED, 11, "end")
    bottom = y + row * 8 + 36
    page.dot(48, bottom, 7.5, MUTED)
    page.text(62, bottom + 4,
              "adds 1 to the counter of the tile above; it was not the last, and ends", MUTED, 11)
    page.dot(48, bottom + 24, 7.5, RED)
    page.text(62, bottom + 28,
              "was the last: sets the counter back to 0 and carries on with that tile", MUTED, 11)
    return page


if __name__ == "__main__":
    write_all(globals(), "pyramid")
