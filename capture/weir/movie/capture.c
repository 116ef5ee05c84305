// SPDX-License-Identifier: MIT
// The capture of a movie that is made of an input, and who gets it beside or in place of a file.
#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/movie/movie.h"

// Behind Ctrl-C a receiver has two seconds more.
static bool is_over(void *user)
{
    struct cli_movie *movie = user;
    if (cli_interrupted() && movie->interrupted_ns == 0) {
        movie->interrupted_ns = weir_clock_ns();
    }
    return movie->interrupted_ns > 0 && weir_clock_ns() - movie->interrupted_ns > 2000000000;
}

enum weir_result cli_movie_open_capture(struct cli_movie *movie, const weir_image *like)
{
    struct weir_capture_params capture = movie->params.capture;
    capture.debug_tag = WEIR_DEBUG_TAG;
    capture.path = movie->params.output;
    capture.codec = movie->params.codec->codec;
    capture.movie.title = movie->info.title;
    capture.movie.comment = movie->info.comment;
    capture.movie.creation_time = movie->info.creation_time;
    capture.movie.pixel_aspect = (struct weir_ratio){movie->shape.pixel_aspect_num,
                                                     movie->shape.pixel_aspect_den};
    capture.timing.timecode = movie->timecode;
    capture.timing.frame_rate = (struct weir_ratio){movie->info.rate_num, movie->info.rate_den};
    capture.policy = WEIR_POLICY_WAIT;
    capture.like = like;
    capture.audio.tracks = movie->audio.tracks;
    capture.audio.num_tracks = movie->audio.num_tracks;
    WEIR_TRY(
        cli_receiver_open(&movie->params.receiver, false, is_over, movie, &capture, &movie->libav));
    return weir_capture_open(movie->gpu.context, &capture, &movie->capture);
}
