// SPDX-License-Identifier: MIT
// In which order libavcodec hands over the rows of PFM files, which begin with the bottom row
// (Debevec; Netpbm's pfm(5)).
#ifndef WEIR_CAPTURE_FILES_SOURCE_PFM_H
#define WEIR_CAPTURE_FILES_SOURCE_PFM_H

#include <stdbool.h>

// Return true if the first row of a frame is the bottom one: as FFmpeg 5.1 decodes, and 7.1 does
// not. libavcodec does not say so, and is asked by a file of two texels.
bool weir_pfm_is_bottom_up(void);

#endif
