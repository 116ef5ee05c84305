// SPDX-License-Identifier: MIT
// The one door to what is read through libavformat: what a name is allowed to open.
#pragma once

#include <stdbool.h>

#include <libavformat/avformat.h>

// True if a path that names no file is a URL, such as "https://host/clip.mp4", "pipe:" or
// "file:clip.mov", by the names of protocols that libavformat has.
bool weir_input_is_url(const char *path);

// True if a path is named as a list of other files is, such as .m3u8. Only then they are read.
bool weir_input_is_list(const char *path);

// Open an input. `*format` has what the caller has set, as for avformat_open_input(), and becomes
// NULL after a failure. It reads `path` and no other file, unless that is named as a list: a local
// list reads files and nothing from a network, one from a network no files.
// Returns an AVERROR; weir_libav_refused_list() says whether it is a list with another name.
int weir_input_open(const char *path, AVFormatContext **format);
