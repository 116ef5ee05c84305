#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figure of docs/palette.md.

python3 docs/figures/draw_palette.py writes docs/images/palette_columns.svg.
"""
import math
import random
import sys

sys.dont_write_bytecode = True
from svg import COLORS, INK, LINE, MUTED, Page, write_all

BLUE, ORANGE, GREEN, PURPLE = COLORS


def chord(radius, distance):
    """Half the length of a ball along L at that distance from its middle; None outside."""
    return math.sqrt(radius ** 2 - distance ** 2) if distance <= radius else None


def draw_columns():
    """A cut through the grid: columns of cells, a ball, and what becomes of the cells."""
    page = Page(700, 400)
    width, height, left, top = 44, 15, 60, 50
    num_columns, num_cells = 8, 22
    center = (left + 3.7 * width, top + 11.2 * height)
    radius = 2.6 * width
    points = random.Random(5)
    for column in range(num_columns):
        x = left + column * width
        near = max(x - center[0], center[0] - x - width, 0)
        far = max(center[0] - x, x + width - center[0])
        outer, inner = chord(radius, near), chord(radius, far)
        for cell in range(num_cells):
            y = top + cell * height
            is_inner = inner is not None and y >= center[1] - inner and y + height <= center[1] + inner
            is_touched = outer is not None and y + height > center[1] - outer and y < center[1] + outer
            fill = GREEN[1] if is_inner else ORANGE[1] if is_touched else "none"
            page.rect(x, y, width, height, fill, LINE, 0.6)
            for _ in range(points.choice((0, 1, 1, 2))):
                dot = (x + 3 + points.random() * (width - 6), y + 3 + points.random() * (height - 6))
                color = GREEN[0] if is_inner else ORANGE[0] if is_touched else LINE
                page.dot(*dot, 1.8, color)
    page.add("circle", cx=float(center[0]), cy=float(center[1]), r=float(radius), fill="none",
             stroke=BLUE[0], stroke_width=1.6)
    page.dot(*center, 3.5, BLUE[0])
    page.arrow(left - 18, top + 40, left - 18, top + 2, MUTED)
    page.text(left - 22, top + 56, "L", MUTED, 12)
    page.arrow(left, top - 14, left + 44, top - 14, MUTED)
    page.text(left + 52, top - 10, "a and b", MUTED, 12)
    x = left + num_columns * width + 24
    for row, (color, lines) in enumerate([
            (GREEN, ("wholly inside: of each column the", "difference of two sums")),
            (ORANGE, ("touched by the surface: every point", "is looked at, by integers")),
            ((LINE, "none"), ("out of reach: not looked at",))]):
        y = top + 70 + row * 56
        page.rect(x, y, 18, 14, color[1], color[0])
        for index, line in enumerate(lines):
            page.text(x + 28, y + 11 + 16 * index, line, INK, 12)
    page.text(x, top + 70 + 3 * 56, "The place goes to the mean of all points", MUTED, 12)
    page.text(x, top + 86 + 3 * 56, "within the ball.", MUTED, 12)
    return page


if __name__ == "__main__":
    write_all(globals(), "palette")
