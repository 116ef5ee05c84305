// SPDX-License-Identifier: MIT
// FFmpeg's encoder and decoder of HAP, for the bars of quality. Every failure ends the program.
#ifndef WEIR_TESTS_BENCH_QUALITY_FFMPEG_HAP_H
#define WEIR_TESTS_BENCH_QUALITY_FFMPEG_HAP_H

#include <libavcodec/avcodec.h>

#include "tests/bench/quality/frame.h"

// FFmpeg's decoder on a packet of HapY. Gives back RGB in rows without gaps, to be freed.
uint8_t *hap_decode(const AVPacket *packet, uint32_t width, uint32_t height);

// One uncompressed HAP section of type 0xAF with the 8-byte header.
AVPacket *hap_packet(const uint8_t *blocks, size_t size);

// FFmpeg's encoder without a compressor, in its format "hap" or "hap_q", on an opaque picture; NULL
// where it refuses the size.
AVPacket *ffmpeg_encode(const struct weir_picture *picture, const char *format);

#endif
