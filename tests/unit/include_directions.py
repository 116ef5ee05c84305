#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom (docs/architecture.md). It first proves, by planted mistakes, that it finds them."""
import re
import sys
from pathlib import Path

# The layers of src/ that a file in a layer may include, besides <weir/...>.
LAYERS = {"base": "base", "vk": "vk base", "frame": "frame vk base", "device": "device vk base",
          **{module: f"{module} frame vk base" for module in ("encode", "rdo", "snappy", "readback", "pyramid", "palette", "preview")}}

# The folders of shaders/ that a file in a folder of it, or in the layer of that name, may include.
KERNELS = {"encode": "encode color bptc", "rdo": "rdo color bptc", "palette": "palette color",
           "frame": "color",  # it says how an image is read
           **{folder: folder for folder in ("color", "bptc", "pyramid", "snappy")},
           "include": "pyramid"}  # what kernels of a user's own begin with

# The rooms below capture/ that a file in a room may include. A command knows no other command.
PROGRAM = "weir weir/movie weir/decoder weir/gpu weir/common files movie base"
ROOMS = {"base": "base", "movie": "movie base", "stream": "stream movie base", "files": "files movie base",
         "libav": "libav base", "play": "play movie base", "link": "link", "layer": "layer link", "weir/common": "weir/common files movie base",
         "weir/gpu": "weir/gpu weir/common files movie base", "weir/movie": "weir/movie weir/decoder weir/gpu weir/common files movie base",
         "weir/decoder": "weir/decoder weir/common files movie base",
         "weir/record": f"weir/record link {PROGRAM}", "weir": "weir weir/decoder weir/common"}

# The file of src/ that a test may include because it tests the inside.
INSIDE = {"tests/unit/pyramid_plan_test.c": "pyramid/plan.h", "tests/unit/pyramid_times.h": "pyramid/plan.h",
          "tests/unit/pyramid_choice_test.c": "pyramid/plan.h", "tests/unit/pyramid_reads_test.c": "pyramid/pyramid.h",
          "tests/gpu/pyramid_images.c": "pyramid/pyramid.h", "tests/kernels/palette.c": "palette/palette.h",
          "tests/unit/palette_means_test.c": "palette/palette.h"}

# What files in these places do not include from outside: a pattern of the file and one of the header.
OUTSIDE = [
    (r"src/(?!include/)", r"(threads|libav|snappy|GLFW|unistd|fcntl|sys/)", "libweir has no file, no libav"),
    (r"src/(?!include/|pyramid/pipelines\.c|base/((posix|windows)/)?thread\.)", r"pthread",
     "libweir has threads where it compiles kernels only"),
    # What is built for Windows too, where winpthreads has pthread.h and semaphore.h.
    (r"(src|capture/(base|movie|stream|files/still))/(?!(posix|windows)/|base/(posix|windows)/)",
     r"(?!(weir|vulkan)/|(assert|errno|inttypes|limits|math|png|pthread|semaphore|setjmp|std\w+|string|time)\.h$|utility$)",
     "base/posix and base/windows alone know the system"),
    (r"samples/(?!\w+/(posix|windows)/)", r"(fcntl|signal|windows|sys/(?!stat))", "samples are built for Windows too"),
    (r"capture/(?!weir/play/)", r"GLFW/", "GLFW is for samples/ and weir play"),
    (r"capture/(stream|layer|weir/\w+)/", r"lib(av|sw)", "capture/files reads and writes files, capture/libav streams"),
    (r"capture/movie/", r"(?!(weir/[a-z]+|std[a-z]+|string)\.h$)", "capture/movie has no thread, no file, no libav"),
    (r"capture/link/", r"(weir|vulkan|lib[a-z]+)/", "capture/link needs the system alone"),
    (r"src/include/", r"(?!(weir/[a-z]+|vulkan/vulkan_core|std(bool|def|int))\.h$)",
     "public headers need Vulkan's and the standard's types only"),
]


def room_of(path):
    """The room of a file below capture/: base, movie, stream, files, link, layer, or one of the program's."""
    parts = path.split("/")[1:-1]
    return "/".join(parts[:2]) if parts[:1] == ["weir"] else "".join(parts[:1])


def may_include(file, header):
    """If the file may include "header", by where both are."""
    top, layer = file.split("/")[0], file.split("/")[1]
    below, first = LAYERS.get(layer, "").split(), header.split("/")[0]
    if file.startswith("src/include/") or (top == "shaders" and file.endswith(".h")):
        return False  # public headers include <...> only, and constants that C and GLSL share nothing
    if top == "src":
        constants = re.fullmatch(r"shaders/([a-z]+)/(constants\.h|push\.glsl)", header)
        return constants[1] in KERNELS.get(layer, "").split() if constants else first in below or header == "kernels.h"
    if top == "capture":
        room = room_of(file)
        rooms = ROOMS.get(room, f"{room} {PROGRAM}" if room.startswith("weir/") else "").split()
        own_kernel = room in ("weir/gpu", "weir/play") and re.fullmatch(r"[a-z]+\.inc", header)
        return own_kernel or (header.startswith("capture/") and room_of(header) in rooms)
    if top == "shaders":
        return "/" not in header or first in KERNELS.get(layer, "").split()
    if top == "samples":
        return "/" not in header  # <weir/...>, and files beside it
    inside = header.removeprefix("src/")  # by its path from src/, or from the repository
    return inside == INSIDE.get(file) or (not header.startswith("src/") and first not in LAYERS)


# Outside of base/windows and base/posix no source asks for which system it is compiled.
SYSTEM = re.compile(r"^\s*#.*\b(_*WIN(32|64)_*|__MINGW\w+|__CYGWIN__|_MSC_VER|__(linux|unix|APPLE)__|_POSIX\w*)\b", re.M)
ASKS = ["#ifdef _WIN32", "# if defined(__linux__)", "#if X && \\\n#elif !defined _WIN64", "#ifndef _MSC_VER"]


def judge(file, include):
    """What is wrong with a file that includes <header> or "header", if anything."""
    header = include[1:-1]
    if ".." in header:
        return "include from the root of src/ or of the repository"
    if include[0] == '"':
        return "" if may_include(file, header) else "is not for files here"
    return next((why for place, pattern, why in OUTSIDE if re.match(place, file) and re.match(pattern, header)), "")


WRONG = """
src/include/weir/x.h "base/log.h" <stdio.h> <vulkan/vulkan.h>
src/base/x.c "vk/context.h"
src/vk/x.c "frame/image.h" <pthread.h> "shaders/color/constants.h"
src/encode/x.c "readback/slot.h" <libavformat/avformat.h> "shaders/palette/constants.h" "shaders/encode/region.glsl"
src/readback/x.h "encode/codec.h"
src/frame/x.c "../vk/context.h"
capture/stream/ring/x.c "base/log.h" "src/base/log.h" "capture/weir/common/options.h"
capture/stream/mux/x.c "capture/files/texture/dds.h" <libavformat/avformat.h>
capture/files/source/x.c "capture/stream/ring/ring.h"
capture/base/x.c "capture/files/source/list.h" "capture/movie/boxes.h" "capture/link/link.h" "shaders/encode/constants.h"
capture/base/open.c <fcntl.h> <windows.h> <sys/stat.h>
capture/stream/mux/x.c <unistd.h> <sys/random.h>
src/vk/x.c <signal.h>
capture/movie/x.c "capture/stream/mux/mux.h" <libavformat/avformat.h> <unistd.h>
capture/link/x.c "capture/base/descriptor.h" <weir/log.h> <vulkan/vulkan_core.h>
capture/layer/x.c "capture/base/thread.h" "capture/weir/record/record.h" <libavutil/log.h>
capture/stream/x.c "capture/link/link.h" "capture/libav/output.h"
capture/weir/common/x.c "capture/link/link.h" "capture/weir/gpu/gpu.h"
capture/weir/mips/x.c "capture/link/link.h" "capture/weir/texture/texture.h" <libavcodec/avcodec.h>
capture/weir/record/x.c "capture/layer/layer.h"
capture/weir/gpu/x.c "capture/stream/ring/ring.h"
capture/weir/movie/x.c "shorten.inc"
shaders/pyramid/x.glsl "color/source.glsl"
shaders/palette/x.comp "encode/region.glsl"
shaders/rdo/x.glsl "encode/region.glsl"
shaders/bptc/x.glsl "color/source.glsl"
shaders/encode/constants.h "color/constants.h"
samples/capture/x.c "capture/stream/ring/ring.h" "vk/context.h" <fcntl.h> <sys/file.h>
tests/bench/x.c "vk/context.h"
tests/fuzz/x.c "src/base/log.h"
tests/unit/x.c "pyramid/plan.h"
tests/capture/x.c "palette/palette.h"
tests/gpu/pyramid_images.c "vk/context.h"
"""
RIGHT = """
src/vk/x.c "base/log.h"
src/encode/x.c "shaders/encode/constants.h"
src/base/posix/thread.c <signal.h>
capture/base/windows/x.c <windows.h> <io.h>
shaders/encode/x.glsl "color/source.glsl"
capture/layer/x.c "capture/link/link.h"
capture/weir/record/x.c "capture/link/link.h"
samples/common/posix/x.c "process.h" <fcntl.h>
samples/common/x.c <sys/stat.h>
tests/unit/pyramid_plan_test.c "pyramid/plan.h"
tests/unit/bc1_test.c "tests/ref/source.h"
"""


def planted(lines):
    return [(file, include) for file, *includes in map(str.split, lines.split("\n")[1:-1]) for include in includes]


def main():
    missed = [pair for pair in planted(WRONG) if not judge(*pair)] + [pair for pair in planted(RIGHT) if judge(*pair)]
    missed += [("a condition", ask) for ask in ASKS if not SYSTEM.search(ask)]
    for file, line in missed:
        print(f"what is planted is judged wrongly: {file}: {line}")
    root = Path(__file__).resolve().parents[2]
    num = num_wrong = 0
    files = [path for top in ("src", "capture", "samples", "tests") for path in (root / top).rglob("*.[ch]")]
    for path in sorted(files + [path for ending in ("h", "glsl", "comp") for path in (root / "shaders").rglob(f"*.{ending}")]):
        file = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        if "/base/windows/" not in file and SYSTEM.search(text):
            print(f"{file}: asks for which system it is compiled")
            num_wrong += 1
        for include in re.findall(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', text, re.M):
            num += 1
            if why := judge(file, include):
                print(f"{file}: {include}: {why}")
                num_wrong += 1
    print(f"{num} includes")
    return num_wrong > 0 or len(missed) > 0 or num == 0


sys.exit(main())
