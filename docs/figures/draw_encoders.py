#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of docs/encoders.md: where the bits of a block lie.

python3 docs/figures/draw_encoders.py writes docs/images/block_*.svg.
"""
import sys

sys.dont_write_bytecode = True
from svg import COLORS, INK, LINE, MUTED, Page, write_all

FIRST, SECOND, CODES, MODE = COLORS
NONE = (MUTED, "#eceff2")
WIDTH = 760
LEFT, RIGHT = 150, 736


def page_of(rows, extra=0):
    return Page(WIDTH, 44 + 40 * rows + extra)


def bar(page, row, name, fields, num_bits, note=None):
    """Fields of (label, bits, colour) side by side, as long as they have bits."""
    used = sum(bits for _, bits, _ in fields)
    assert used == num_bits, (name, used, num_bits)
    y = 30 + 40 * row
    page.text(LEFT - 12, y + 17, name, INK, 11, "end", True)
    scale = (RIGHT - LEFT) / num_bits
    x = LEFT
    for label, bits, color in fields:
        width = bits * scale
        page.rect(x, y, width, 24, color[1], color[0])
        if label and len(label) * 5.6 < width:
            page.text(x + width / 2, y + 16, label, color[0], 10, "middle")
        x += width
    if note:
        page.text(RIGHT, y - 4, note, MUTED, 9, "end")


def head(page, text):
    page.text(LEFT, 20, text, MUTED, 11)


def legend(page, y, entries):
    x = LEFT
    for color, text in entries:
        page.rect(x, y, 12, 12, color[1], color[0])
        page.text(x + 18, y + 10, text, MUTED, 10)
        x += 32 + 5.6 * len(text)


def scale_of_values(page, x, y, length, name, values, labels):
    """A line from 0 to 1, with a dot at every value a texel can take."""
    page.text(LEFT - 12, y + 4, name, INK, 11, "end", True)
    page.line(x, y, x + length, y, LINE, 1.5)
    for value, label in zip(values, labels):
        is_end = label.startswith("0 ") or label.startswith("1 ")
        page.dot(x + value * length, y, 5 if is_end else 4, (FIRST if is_end else CODES)[0])
        page.text(x + value * length, y + 18, label, MUTED, 9, "middle")



def bc1_fields():
    return [("colour 0, 5:6:5", 16, FIRST), ("colour 1, 5:6:5", 16, SECOND),
            ("16 codes of 2 bits, texel 0 first", 32, CODES)]


def bc4_fields():
    return [("end 0", 8, FIRST), ("end 1", 8, SECOND),
            ("16 codes of 3 bits, texel 0 first", 48, CODES)]


def draw_bc1():
    page = page_of(3, 30)
    head(page, "64 bits, the first in memory at the left")
    bar(page, 0, "BC1", bc1_fields(), 64)
    x, length = LEFT + 20, RIGHT - LEFT - 40
    scale_of_values(page, x, 100, length, "colour 0 > 1", [0, 1 / 3, 2 / 3, 1],
                    ["0 (code 0)", "1/3 (code 2)", "2/3 (code 3)", "1 (code 1)"])
    scale_of_values(page, x, 150, length, "colour 0 <= 1", [0, 0.5, 1],
                    ["0 (code 0)", "1/2 (code 2)", "1 (code 1)"])
    page.text(x + 0.75 * length, 168, "code 3: black, transparent", MUTED, 9, "middle")
    return page


def draw_bc4():
    page = page_of(3, 30)
    head(page, "64 bits, the first in memory at the left")
    bar(page, 0, "BC4", bc4_fields(), 64)
    x, length = LEFT + 20, RIGHT - LEFT - 40
    scale_of_values(page, x, 100, length, "end 0 > 1", [k / 7 for k in range(8)],
                    ["0 (0)"] + [f"{k}/7 ({k + 1})" for k in range(1, 7)] + ["1 (1)"])
    scale_of_values(page, x, 150, length, "end 0 <= 1", [k / 5 for k in range(6)],
                    ["0 (0)"] + [f"{k}/5 ({k + 1})" for k in range(1, 5)] + ["1 (1)"])
    page.text(x + length / 2, 186, "code 6: the least value of the format, code 7: the greatest",
              MUTED, 9, "middle")
    return page


def draw_pairs():
    page = page_of(4)
    head(page, "128 bits: two halves of 64, each as drawn above or below")
    red = [("BC4 of R", 64, FIRST)]
    bar(page, 0, "BC3", [("BC4 of A", 64, MODE), ("BC1 of RGB, four colours", 64, CODES)], 128)
    bar(page, 1, "BC5", red + [("BC4 of G", 64, SECOND)], 128)
    bar(page, 2, "HapY", [("BC4 of Y", 64, FIRST),
                          ("BC1 of Co, Cg and the scale", 64, SECOND)], 128)
    bar(page, 3, "ETC2 RGBA", [("EAC of A", 64, MODE), ("ETC2 of RGB", 64, CODES)], 128)
    return page


def bc6h_mode(mode_bits, base, deltas, subsets):
    partition = 5 if subsets == 2 else 0
    codes = 46 if subsets == 2 else 63
    num = 3 if subsets == 2 else 1
    fields = [("", mode_bits, MODE), (f"first end, 3 x {base}", 3 * base, FIRST),
              (f"{num} more", num * sum(deltas), SECOND)]
    if partition:
        fields.append(("shape", partition, MODE))
    return fields + [(f"codes, {3 if subsets == 2 else 4} bits", codes, CODES)]


def draw_bc6h():
    modes = [("1: 10 . 5 5 5", 2, 10, (5, 5, 5), 2), ("2: 7 . 6 6 6", 2, 7, (6, 6, 6), 2),
             ("3-5: 11 . 5 4 4", 5, 11, (5, 4, 4), 2), ("6: 9 . 5 5 5", 5, 9, (5, 5, 5), 2),
             ("7-9: 8 . 6 5 5", 5, 8, (6, 5, 5), 2), ("10: 6 6 6", 5, 6, (6, 6, 6), 2),
             ("11: 10 10 10", 5, 10, (10, 10, 10), 1), ("12: 11 . 9 9 9", 5, 11, (9, 9, 9), 1),
             ("13: 12 . 8 8 8", 5, 12, (8, 8, 8), 1), ("14: 16 . 4 4 4", 5, 16, (4, 4, 4), 1)]
    page = page_of(len(modes), 26)
    head(page, "128 bits by what they are for (in a block the bits of ends are interleaved)")
    for row, (name, *mode) in enumerate(modes):
        bar(page, row, name, bc6h_mode(*mode), 128)
    legend(page, 40 * len(modes) + 34, [(MODE, "mode, and one of 32 shapes"),
                                        (FIRST, "an end of a line"), (SECOND, "the other ends, or how far they are")])
    return page


BC7_MODES = [  # subsets, partition, rotation, selector, colour, alpha, p bits of ends, of subsets, codes, second codes
    (3, 4, 0, 0, 4, 0, 1, 0, 3, 0), (2, 6, 0, 0, 6, 0, 0, 1, 3, 0), (3, 6, 0, 0, 5, 0, 0, 0, 2, 0),
    (2, 6, 0, 0, 7, 0, 1, 0, 2, 0), (1, 0, 2, 1, 5, 6, 0, 0, 2, 3), (1, 0, 2, 0, 7, 8, 0, 0, 2, 2),
    (1, 0, 0, 0, 7, 7, 1, 0, 4, 0), (2, 6, 0, 0, 5, 5, 1, 0, 2, 0)]


def draw_bc7():
    page = page_of(len(BC7_MODES), 26)
    head(page, "128 bits, the first in memory at the left")
    for mode, (subsets, partition, rotation, selector, color, alpha, ends, shared, codes,
               second) in enumerate(BC7_MODES):
        fields = [("", mode + 1, MODE)]
        fields += [("shape", partition, MODE)] if partition else []
        fields += [("", rotation + selector, MODE)] if rotation else []
        fields.append((f"{2 * subsets} x RGB {color}", 6 * subsets * color, FIRST))
        fields += [(f"{2 * subsets} x A {alpha}", 2 * subsets * alpha, SECOND)] if alpha else []
        num_p = 2 * subsets * ends + subsets * shared
        fields += [("p", num_p, NONE)] if num_p else []
        fields.append((f"codes, {codes} bits", 16 * codes - subsets, CODES))
        fields += [(f"{second} bits", 16 * second - 1, CODES)] if second else []
        bar(page, mode, f"{mode}: {subsets} line{'s' if subsets > 1 else ''}", fields, 128)
    legend(page, 40 * len(BC7_MODES) + 34,
           [(MODE, "mode, shape, rotation"), (FIRST, "colours"), (SECOND, "alphas"),
            (NONE, "p: lowest bit of channels"), (CODES, "codes")])
    return page


def draw_etc():
    def rest():
        return ("16 codes of 2 bits: upper bits, then lower", 32, CODES)

    def x(bits=1):
        return ("", bits, NONE)

    def d(value):
        return (value, 1, MODE)

    tables = [("t 1", 3, MODE), ("t 2", 3, MODE)]
    individual = [(c + n, 4, color) for c in "RGB" for n, color in (("1", FIRST), ("2", SECOND))]
    differential = [f for c in "RGB" for f in ((c, 5, FIRST), ("d" + c, 3, SECOND))]
    t_mode = [x(3), ("R1", 2, FIRST), x(), ("R1", 2, FIRST), ("G1", 4, FIRST), ("B1", 4, FIRST),
              ("R2", 4, SECOND), ("G2", 4, SECOND), ("B2", 4, SECOND), ("", 2, MODE), d(""), ("", 1, MODE)]
    h_mode = [x(), ("R1", 4, FIRST), ("G1", 3, FIRST), x(3), ("", 1, FIRST), ("", 1, FIRST), x(),
              ("B1", 3, FIRST), ("R2", 4, SECOND), ("G2", 4, SECOND), ("B2", 4, SECOND), ("", 1, MODE),
              d(""), ("", 1, MODE)]
    planar = [x(), ("R", 6, FIRST), ("", 1, FIRST), x(), ("G", 6, FIRST), ("", 1, FIRST), x(3),
              ("", 2, FIRST), x(), ("B", 3, FIRST), ("R", 5, SECOND), d(""), ("", 1, SECOND),
              ("right: G", 7, SECOND), ("B", 6, SECOND), ("below: R", 6, CODES), ("G", 7, CODES),
              ("B", 6, CODES)]
    rows = [("individual", individual + tables + [d("0"), d("f"), rest()],
             "two halves, f: side by side or one above the other"),
            ("differential", differential + tables + [d("1"), d("f"), rest()],
             "R + dR, G + dG and B + dB are from 0 to 31"),
            ("T", t_mode + [rest()], "R + dR is none of them: colour 1, and colour 2 -d, 0, +d"),
            ("H", h_mode + [rest()], "G + dG is none: colour 1 and 2, each -d and +d"),
            ("planar", planar, "B + dB is none: a plane through three colours")]
    page = page_of(len(rows), 26)
    head(page, "64 bits, big-endian: the highest at the left")
    for row, (name, fields, note) in enumerate(rows):
        bar(page, row, name, fields, 64, note)
    legend(page, 40 * len(rows) + 34, [(FIRST, "first colour"), (SECOND, "second, or how far it is"),
                                       (MODE, "tables and mode"), (NONE, "bits that force the overflow")])
    return page


def draw_eac():
    page = page_of(2, 20)
    head(page, "64 bits, big-endian: the highest at the left")
    bar(page, 0, "EAC", [("base", 8, FIRST), ("times", 4, SECOND), ("table", 4, MODE),
                         ("16 codes of 3 bits, columns first", 48, CODES)], 64)
    x, length = LEFT + 20, RIGHT - LEFT - 40
    modifiers = [-15, -9, -6, -3, 2, 5, 8, 14]
    scale_of_values(page, x, 100, length, "table 0", [(m + 15) / 29 for m in modifiers],
                    [f"{m:+d}" for m in modifiers])
    return page


if __name__ == "__main__":
    write_all(globals(), "block")
