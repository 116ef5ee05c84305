// SPDX-License-Identifier: MIT
// What files of pictures say and FFmpeg's decoders leave out.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

struct weir_mend {
    int orientation;   // as in EXIF; 0: none
    bool has_grey_key; // PNG of less than 8 bits: this grey is transparent [of 255]
    uint8_t grey_key;
    bool is_grey_alpha; // TARGA: 16 bits are grey and alpha
    bool has_alpha_bit; // the highest of 16 bits is alpha
    // PNG: the colours, unless the file says that they are sRGB's.
    bool is_srgb, has_primaries;
    double primaries[8], gamma;      // see weir_profile_attach_facts(); gamma 0: that of sRGB
    size_t profile_at, profile_size; // of its chunk in the packet; 0: there is none
    bool has_lost_profile;
};

// Look at the packet of a picture.
void weir_mend_note(struct weir_mend *mend, enum AVCodecID codec, const AVPacket *packet);

// Take the profile out of the packet of a picture that cannot be decoded. False: it has none.
bool weir_mend_drop_profile(struct weir_mend *mend, AVPacket *packet);

// Make of the decoder's frame what the file says. Returns 0 or AVERROR(ENOMEM).
int weir_mend_frame(const struct weir_mend *mend, AVFrame *frame);
