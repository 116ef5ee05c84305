# SPDX-License-Identifier: MIT
"""A page of SVG: rectangles, lines, arrows and text on a light card, readable on any background."""
import pathlib
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "images"

INK, MUTED, LINE, CARD = "#1f2328", "#59636e", "#c4ccd4", "#ffffff"
# A colour for strokes and text, and a tint for areas.
COLORS = [("#2f6fb2", "#d6e6f6"), ("#c86a0b", "#fde4c9"), ("#2d8a4e", "#d5efdd"),
          ("#7a55a5", "#e8def5")]
RED = "#c0392b"


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Page:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.parts = []
        self.heads = set()
        self.rect(0.5, 0.5, width - 1, height - 1, CARD, LINE, rx=6)

    def add(self, tag, text=None, **attributes):
        def value_of(value):
            return number(value) if isinstance(value, float) else value

        named = "".join(f' {key.replace("_", "-")}="{value_of(value)}"'
                        for key, value in attributes.items() if value is not None)
        self.parts.append(f"<{tag}{named}/>" if text is None else f"<{tag}{named}>{text}</{tag}>")

    def rect(self, x, y, width, height, fill="none", stroke=None, line=1.0, **more):
        self.add("rect", x=float(x), y=float(y), width=float(width), height=float(height),
                 fill=fill, stroke=stroke,
                 stroke_width=line if stroke else None, **more)

    def line(self, x1, y1, x2, y2, color=INK, line=1.0, dash=None):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=color,
                 stroke_width=line,
                 stroke_dasharray=dash)

    def path(self, points, color=INK, line=1.0, dash=None):
        text = "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.add("path", d=text, fill="none", stroke=color, stroke_width=line,
                 stroke_dasharray=dash,
                 stroke_linejoin="round")

    def arrow(self, x1, y1, x2, y2, color=INK, line=1.2):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=color,
                 stroke_width=line,
                 marker_end=f"url(#head{color[1:]})")
        self.heads.add(color)

    def dot(self, x, y, radius=3, color=INK):
        self.add("circle", cx=float(x), cy=float(y), r=float(radius), fill=color)

    def text(self, x, y, text, color=INK, size=12, anchor="start", bold=False):
        self.add("text", escape(text), x=float(x), y=float(y), fill=color, font_size=size,
                 text_anchor=None if anchor == "start" else anchor,
                 font_weight="600" if bold else None)

    def grid(self, x, y, columns, rows, cell, fill="none", stroke=LINE, line=1.0):
        self.rect(x, y, columns * cell, rows * cell, fill)
        for i in range(columns + 1):
            self.line(x + i * cell, y, x + i * cell, y + rows * cell, stroke, line)
        for i in range(rows + 1):
            self.line(x, y + i * cell, x + columns * cell, y + i * cell, stroke, line)

    def write(self, path):
        heads = "".join(f'<marker id="head{c[1:]}" viewBox="0 0 8 8" refX="7" refY="4" '
                        f'markerWidth="7" markerHeight="7" orient="auto">'
                        f'<path d="M0 0 L8 4 L0 8 z" fill="{c}"/></marker>'
                        for c in sorted(self.heads))
        defs = [f"<defs>{heads}</defs>"] if heads else []
        size = f'width="{self.width}" height="{self.height}"'
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'{size}\n font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">')
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join([head, *defs, *self.parts, "</svg>", ""]))


def write_all(functions, prefix):
    """Draws what the functions whose names begin with draw_ answer, each in a file of its own."""
    for name, draw in sorted(functions.items()):
        if name.startswith("draw_"):
            path = FOLDER / f"{prefix}_{name.removeprefix('draw_')}.svg"
            draw().write(path)
            print(path.relative_to(FOLDER.parent.parent))
