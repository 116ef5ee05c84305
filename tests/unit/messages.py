#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""messages.py: warnings of the libraries, which users of the program read too, name no part of the API."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).parents[2]
WORDS = re.compile(r"weir_\w+|WEIR_\w+|\w+_(ns|ms|bytes)\b|\bhosts?\b|\bsemaphore")
CALL = re.compile(r"weir_log_printf\(\s*[^,]+,\s*WEIR_LOG_WARNING,((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*);")

found, num = [], 0
for folder in ("src", "capture/stream", "capture/movie", "capture/base", "capture/files"):
    for path in sorted((ROOT / folder).rglob("*.c")):
        for call in CALL.finditer(path.read_text()):
            num += 1
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call[1]))
            if word := WORDS.search(text):
                found.append(f"{path.relative_to(ROOT)}: '{word[0]}' in: {text}")
print("\n".join(found) or f"{num} warnings, in words of their readers")
sys.exit(bool(found) or num < 20)
