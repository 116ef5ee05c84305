// SPDX-License-Identifier: MIT
// What files of pictures say and FFmpeg's decoders leave out.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

#include <weir/log.h>

struct weir_mend {
    int orientation;   // as in EXIF; 0: none
    bool has_grey_key; // PNG of less than 8 bits: this grey is transparent [of 255]
    uint8_t grey_key;
    bool is_grey_alpha; // TARGA: 16 bits are grey and alpha
    bool has_alpha_bit; // the highest of 16 bits is alpha
    bool is_srgb;       // PNG: colours are sRGB's
    bool is_unreadable; // OpenEXR: FFmpeg takes a display window for one at 0,0
    char colours[96];   // what else they are, for a message; "": nothing says it
};

// Look at the packet of a picture.
void weir_mend_note(struct weir_mend *mend, enum AVCodecID codec, const AVPacket *packet);

// Warn of colours that are not sRGB's, as which they are read.
void weir_mend_warn(const struct weir_mend *mend, const char *path, const struct weir_log *log);

// Make of the decoder's frame what the file says. Returns 0 or AVERROR(ENOMEM).
int weir_mend_frame(const struct weir_mend *mend, AVFrame *frame);
