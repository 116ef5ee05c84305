// SPDX-License-Identifier: MIT
// Decoder of BC1: FFmpeg's integer arithmetic. Decoders of exact fractions are in capture/files.
#pragma once

#include <stdint.h>

// Decode a block as FFmpeg's decoders of HAP and DDS do, whose integer divisions truncate.
void ref_bc1_decode_ffmpeg(const uint8_t block[8], uint8_t rgb[16][3]);
