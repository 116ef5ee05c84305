// SPDX-License-Identifier: MIT
// What the program says of a movie in JSON, whichever command does.
#include "capture/weir/common/movie_json.h"

#include "capture/movie/codec.h"

void cli_movie_json(struct weir_json *json, const struct weir_track *track, uint64_t num_frames,
                    double seconds)
{
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(track->tag);
    weir_json_text(json, "codec", codec ? codec->name : NULL);
    weir_json_integer(json, "width", track->width);
    weir_json_integer(json, "height", track->height);
    weir_json_integer(json, "frames", num_frames);
    weir_json_number(json, "seconds", seconds);
}

void cli_segment_json(struct weir_json *json, bool is_segment, const struct weir_segment *segment)
{
    if (is_segment) {
        weir_json_integer(json, "segment", segment->number);
    } else {
        weir_json_null(json, "segment");
    }
}
