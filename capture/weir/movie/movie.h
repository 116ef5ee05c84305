// SPDX-License-Identifier: MIT
// A movie that is made of an input: from the source over the device into the capture.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_MOVIE_H
#define WEIR_CAPTURE_WEIR_MOVIE_MOVIE_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/files/source/source.h"
#include "capture/movie/timecode.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/progress.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/movie/audio.h"
#include "capture/weir/movie/scale.h"
#include "capture/weir/movie/stream.h"

// What became of a movie, as far as the movie does not say it itself. In memory that processes
// share.
struct cli_movie_report {
    bool is_read;                // the input was opened
    uint32_t width, height;      // of the input, upright [texels]
    uint32_t rate_num, rate_den; // nominal, of the movie
    char coding[160];            // of the input, see weir_source_info
    // Frames in the movie; those that could not be written; parts of the input that could not be
    // decoded; frames of the input that the rate repeats or leaves out.
    uint64_t num_frames, num_dropped, num_damaged, num_repeated, num_left_out;
    char timecode[WEIR_TIMECODE_TEXT]; // of its first frame; empty: none
    double seconds;                    // that it took
    struct weir_quality_stats quality;
    struct cli_notes notes;
};

// The params of a movie, from the command line. 0 and NULL are defaults.
struct cli_movie_params {
    struct cli_inputs inputs; // one, or the pictures that become frames
    const char *output;
    struct cli_size size;
    struct cli_scale scale; // not with `size`
    bool keeps_pixels;      // see weir_source_params
    struct cli_rate rate;
    enum weir_tonemap tonemap;
    enum weir_source_alpha alpha; // see weir_source_params
    bool premultiplies;
    uint64_t max_frames;    // 0 = all
    struct cli_range range; // 0, 0 = all
    uint32_t device;
    uint64_t max_memory; // 0 = three quarters of the machine's [bytes]
    bool validation, quiet;
    bool tells_input;                 // print a line on the input first
    bool no_audio;                    // leave out the audio
    const char *label;                // of the line of progress; NULL: none
    struct cli_movie_report *report;  // filled in; NULL: nobody asks
    struct cli_progress_works *works; // of which this movie is one; NULL: the only one

    // Params of the capture.
    const struct weir_movie_codec_info *codec; // required
    enum weir_decoder_model decoder;
    enum weir_effort effort;
    bool steady;
    uint32_t quality;     // 0 = 100
    uint64_t stream_rate; // of the movie, 0 = any [bytes a second]
    enum weir_compression compression;
    uint32_t num_chunks;
    bool pad;
    uint32_t sync_ms;
    const char *timecode; // "keep": that of the input
    bool sidecar;
};

struct cli_movie {
    struct cli_movie_params params;
    weir_source *source;
    struct weir_source_info info;
    struct cli_shape shape; // of its frames
    const char *timecode;   // of the movie; NULL: none
    char kept_timecode[WEIR_TIMECODE_TEXT];
    struct cli_audio audio;
    size_t num_chapters; // that were handed over
    struct cli_gpu gpu;
    VkFormat format; // of the frames that are compressed
    weir_capture *capture;
    struct cli_progress progress;
};

// True if a name ends as a movie's does.
bool cli_movie_is(const char *path);

// Open the source and the device. Prints the reason of a failure. Close it in every case.
enum weir_result cli_movie_open(struct cli_movie *movie, const struct cli_movie_params *params);

// Open the input once more, for a pass over its frames before the movie is made. Its warnings are
// left out, as they come with the movie. Prints the reason of a failure, also where the input can
// be read only once.
enum weir_result cli_movie_open_again(const struct cli_movie *movie, weir_source **source);

// Make the whole movie and print a line on it. `filter` may be NULL. After a failure prints the
// reason, and what the file holds.
enum weir_result cli_movie_run(struct cli_movie *movie, const struct cli_stream_filter *filter);

// Close it behind work that had this result. Returns what cli_gpu_close_behind() does.
enum weir_result cli_movie_close(struct cli_movie *movie, enum weir_result result);

#endif
