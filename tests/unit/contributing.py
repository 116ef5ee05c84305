#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contributing.py ROOT: the lists of files in docs/contributing.md are those in which their examples occur."""
import pathlib
import re
import sys

PAGE = "docs/contributing.md"
WHERE = ("src/**/*", "capture/**/*", "shaders/**/*", "samples/**/*", "docs/*.md", "CMakeLists.txt")
LISTS = 6


def lists(text):
    """Yields the title of each list, the names of its example, and its files."""
    for title, example, items in re.findall(r"^\*\*(.+?)\*\*, such as (.+):\n\n((?:- .+\n)+)", text, re.M):
        yield title, re.findall(r"`(\S+)`", example), set(re.findall(r"^- `(\S+)`", items, re.M))


def texts(root):
    """Returns the text of each file that a list may name, by its path."""
    paths = [path for pattern in WHERE for path in root.glob(pattern) if path.is_file()]
    found = {path.relative_to(root).as_posix(): path.read_text(errors="ignore") for path in paths}
    del found[PAGE]
    return found


def occurrences(files, names):
    """Returns the files that have one of the names as a word, or as their own."""
    word = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    return {path for path, text in files.items() if word.search(text) or pathlib.Path(path).stem in names}


def main(root):
    files = texts(root)
    found = list(lists((root / PAGE).read_text()))
    faults = 0
    for title, names, listed in found:
        there = occurrences(files, names)
        for what, wrong in (("lacks", there - listed), ("names", listed - there)):
            for path in sorted(wrong):
                print(f"{PAGE}, {title}: {what} {path}; its example is {' '.join(names)}")
                faults += 1
    print(f"{len(found)} lists of {sum(len(listed) for _, _, listed in found)} files")
    return 1 if faults or len(found) != LISTS else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
