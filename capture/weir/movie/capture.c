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
    struct weir_capture_params capture = *weir_capture_params(
            .path = movie->params.output, .codec = movie->params.codec->codec,
            .encoding = {.decoder = movie->params.decoder,
                         .effort = movie->params.effort,
                         .steady = movie->params.steady},
            .rate = {.quality = movie->params.quality,
                     .bytes_per_second = movie->params.stream_rate,
                     .compression = movie->params.compression,
                     .num_chunks = movie->params.num_chunks},
            .movie = {.premultiplied = movie->params.premultiplies,
                      .pad = movie->params.pad,
                      .sync_ms = movie->params.sync_ms,
                      .sidecar = movie->params.sidecar,
                      .title = movie->info.title,
                      .comment = movie->info.comment,
                      .creation_time = movie->info.creation_time,
                      .pixel_aspect = {movie->shape.pixel_aspect_num,
                                       movie->shape.pixel_aspect_den}},
            .timing = {.timecode = movie->timecode,
                       .frame_rate = {movie->info.rate_num, movie->info.rate_den}},
            .policy = WEIR_POLICY_WAIT, .like = like,
            .audio = {.tracks = movie->audio.tracks, .num_tracks = movie->audio.num_tracks});
    WEIR_TRY(
        cli_receiver_open(&movie->params.receiver, false, is_over, movie, &capture, &movie->libav));
    return weir_capture_open(movie->gpu.context, &capture, &movie->capture);
}
