// SPDX-License-Identifier: MIT
// Boxes that tracks of all kinds have.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#ifndef WEIR_CAPTURE_MOVIE_TRACK_BOXES_H
#define WEIR_CAPTURE_MOVIE_TRACK_BOXES_H

#include "capture/movie/boxes.h"

void weir_boxes_u16(struct weir_boxes *boxes, uint32_t value);
void weir_boxes_zeros(struct weir_boxes *boxes, uint32_t num_words); // of 32 bits

// The matrix of a picture that lies upright and unscaled.
void weir_boxes_matrix(struct weir_boxes *boxes);

// The box tkhd of a track that is enabled and in the movie. Sides are in texels.
void weir_boxes_tkhd(struct weir_boxes *boxes, uint32_t track, uint32_t duration, uint32_t width,
                     uint32_t height);

// The box mdhd of version 0, without a language.
void weir_boxes_mdhd(struct weir_boxes *boxes, uint32_t ticks_per_second, uint32_t duration);

// The box trex, which says what fragments of a track leave out.
void weir_boxes_trex(struct weir_boxes *boxes, uint32_t track);

// The box hdlr, whose name is a Pascal string.
void weir_boxes_hdlr(struct weir_boxes *boxes, uint32_t type, uint32_t subtype, const char *name);

// The boxes hdlr and dinf of data that lies in this file.
void weir_boxes_data_in_file(struct weir_boxes *boxes);

#endif
