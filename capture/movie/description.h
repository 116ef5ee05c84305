// SPDX-License-Identifier: MIT
// The descriptions of samples in a movie, the box stsd: pictures and audio.
#ifndef WEIR_CAPTURE_MOVIE_DESCRIPTION_H
#define WEIR_CAPTURE_MOVIE_DESCRIPTION_H

#include "capture/movie/movie.h"

// Append the box stsd of a track; `audio` is one of the movie's.
void weir_description_write_pictures(struct weir_boxes *boxes,
                                     const struct weir_movie_pictures *pictures);
void weir_description_write_audio(struct weir_boxes *boxes, const struct weir_movie *movie,
                                  const struct weir_movie_audio *audio);

#endif
