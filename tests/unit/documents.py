#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""documents.py ROOT: the documents are short and plain, and their links and paths lead somewhere."""
import pathlib
import re
import sys

MOST_WORDS = 40000          # in all documents
MOST_OF_PAGE = {"docs/architecture.md": 900, "tests/README.md": 500}
MOST_OF_PARAGRAPH = 720     # characters: six lines
MOST_OF_CELL = 120          # characters
MOST_OF_SENTENCE = 30       # words
FOLDERS = ("docs", "src", "capture", "samples", "shaders", "tests")


def plain(text):
    """Returns text as it is read: without the targets of links and the marks of code."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "code", text).replace("**", "")


def words(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def without_code(text):
    """Returns the lines of text with their numbers, without blocks of code."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line


def style(text):
    """Yields what is long: cells of tables, paragraphs, sentences."""
    for number, line in without_code(text):
        if line.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line)[1:-1]:
                if len(plain(cell.strip())) > MOST_OF_CELL:
                    yield number, f"a cell of {len(plain(cell.strip()))} characters"
        elif not line.startswith(("#", "<!--")) and not line.lstrip().startswith("!["):
            paragraph = plain(re.sub(r"^\s*(-|\d+\.) ", "", line))
            if len(paragraph) > MOST_OF_PARAGRAPH:
                yield number, f"a paragraph of {len(paragraph)} characters"
            for sentence in re.split(r"(?<=[.?!])\s+|;\s+|:\s+(?=[A-Z0-9])", paragraph):
                if len(words(sentence)) > MOST_OF_SENTENCE:
                    yield number, f"a sentence of {len(words(sentence))} words: {sentence[:60]}"


def anchors(page):
    """Returns the anchors of a page's headings, as they are made of their text."""
    heads = [plain(line.lstrip("# ").replace("`", "")) for _, line in without_code(page.read_text())
             if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(root, page, text):
    """Yields links without a target, and paths of this tree that are not there."""
    for number, line in without_code(text):
        for target, _, anchor in re.findall(r"\]\(([^)# ]*)(#([^) ]*))?\)", line):
            if re.match(r"[a-z]+://", target):
                continue
            there = page.parent / target if target else page
            if not there.exists():
                yield number, f"no file {target}"
            elif anchor and anchor not in anchors(there):
                yield number, f"no heading {target}#{anchor}"
        for path in re.findall(rf"`((?:{'|'.join(FOLDERS)})/[A-Za-z0-9_./-]+)`", line):
            if not (root / path).exists():
                yield number, f"names {path}, which is not there"


def check(root, page):
    name, text = page.relative_to(root).as_posix(), page.read_text()
    found = list(style(text))
    found += links(root, page, text)
    count = len(words(text))
    if count > MOST_OF_PAGE.get(name, MOST_WORDS):
        found.append((0, f"{count} words, at most {MOST_OF_PAGE[name]}"))
    for number, what in found:
        print(f"{name}:{number}: {what}")
    return count, len(found)


def main(root):
    pages = [root / "README.md", root / "CHANGELOG.md"]
    for folder in FOLDERS:
        pages += [page for page in sorted((root / folder).rglob("*.md")) if "node_modules" not in page.parts]
    counts, faults = zip(*(check(root, page) for page in pages))
    print(f"{sum(counts)} words in {len(pages)} documents, at most {MOST_WORDS}")
    return 1 if sum(counts) > MOST_WORDS or any(faults) else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
