// SPDX-License-Identifier: MIT
// A movie that is made of an input: from the source over the device into the capture.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/movie/movie.h"
#include "capture/weir/common/address.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"
#include "capture/weir/gpu/gpu.h"

enum { CLI_STREAM_MAX_SLOTS = 16, CLI_REASON_SIZE = 128 };

// Replaces the frames of the source by others before they are encoded.
struct cli_stream_filter {
    // Called once for each slot, which is below CLI_STREAM_MAX_SLOTS: `source` will hold its
    // frames. `*result` becomes another image, which lives until the stream is over; those of all
    // slots are alike. Prints the reason of a failure.
    enum weir_result (*prepare)(void *user, uint32_t slot, const weir_image *source,
                                const weir_image **result);
    // The source of the slot holds a frame when all that was submitted is done, and the GPU has
    // done with the result. Fill the result, which is in SHADER_READ_ONLY_OPTIMAL when `*ready` is
    // reached. Prints the reason of a failure.
    enum weir_result (*run)(void *user, uint32_t slot, struct weir_point *ready);
    bool wants_opaque; // the alpha of 8-bit frames is 255
    void *user;
};

// What became of a movie, as far as the movie does not say it itself.
struct cli_movie_report {
    bool is_read; // the input was opened
    struct weir_source_info input;
    struct weir_capture_stats stats;
    struct weir_source_counts counts;  // of the input
    bool is_copied;                    // its frames were not encoded
    char not_copied[CLI_REASON_SIZE];  // why the part of a HAP movie was encoded; empty: it was not
    double early_seconds;              // of audio before the first frame, which was cut
    char timecode[WEIR_TIMECODE_TEXT]; // of its first frame; empty: none
    double seconds;                    // that it took
    struct cli_notes notes;
};

// One of several movies that weir join makes one. The first has all audio, and the time code.
struct cli_part {
    uint32_t number, num; // number 1 .. num
    uint32_t job;         // a number that all parts of a movie have
};

// The params of a movie, from the command line. 0 and NULL are defaults.
struct cli_movie_params {
    struct cli_inputs inputs; // one, or the pictures that become frames
    const char *output;
    struct cli_receiver receiver;
    struct cli_size size;
    struct cli_scale scale; // not with `size`
    struct weir_ratio rate;
    uint64_t max_frames;     // 0 = all
    struct cli_range range;  // 0, 0 = all
    struct cli_part part;    // zeroed = all
    bool copies;             // a part of HAP is copied where nothing else changes
    const char *encodes_for; // the option for which it is not; NULL: none
    uint32_t device;
    uint64_t max_memory; // 0 = three quarters of the machine's [bytes]
    bool validation, quiet;
    bool tells_input;                 // print a line on the input first
    bool no_audio;                    // leave out the audio
    const char *sound_from;           // a file whose audio is taken in its place; NULL: none
    const char *label;                // of the line of progress; NULL: none
    struct cli_movie_report *report;  // filled in; NULL: nobody asks
    struct cli_progress_works *works; // of which this movie is one; NULL: the only one

    // What else the source and the capture are opened with: not what is above, or known later.
    struct weir_source_params source;
    struct weir_capture_params capture;
    const struct weir_movie_codec_info *codec; // required
    const char *timecode;                      // "keep": that of the input
};

// The size of a movie's frames, and the shape of their pixels.
struct cli_shape {
    uint32_t width, height; // [texels]
    uint32_t pixel_aspect_num, pixel_aspect_den;
};

// The audio of the input, on its way into the capture beside the frames.
struct cli_audio {
    cli_audio_source *source; // NULL: there is none
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    uint32_t num_tracks;
    struct weir_audio_block block; // the next one, if `is_pending`
    bool is_pending, has_ended;
    bool is_over[WEIR_MAX_AUDIO_TRACKS]; // a track has come to samples behind the last frame
    int64_t early_ns;                    // of it that comes before the first frame, and is cut
};

struct cli_movie {
    struct cli_movie_params params;
    cli_source *source;
    struct weir_source_info info;
    struct cli_shape shape; // of its frames
    const char *timecode;   // of the movie; NULL: none
    char kept_timecode[WEIR_TIMECODE_TEXT];
    struct cli_audio audio;
    size_t num_chapters; // that were handed over
    struct cli_gpu gpu;
    pthread_t opener; // of the device, beside the source, while `is_opening`
    bool is_opening;
    VkFormat format; // of the frames that are compressed
    weir_capture *capture;
    weir_libav *libav;       // of params.receiver; NULL: none
    uint64_t interrupted_ns; // when libav noticed; 0: it did not
    struct weir_libav_stats sent;
    struct cli_progress progress;
};

// Open the source, and then its audio and the device. Prints the reason of a failure. Close it in
// every case.
enum weir_result cli_movie_open_input(struct cli_movie *movie,
                                      const struct cli_movie_params *params);
enum weir_result cli_movie_open_output(struct cli_movie *movie);

// Open the input once more, for a pass over its frames before the movie is made. Its warnings are
// left out, as they come with the movie. Prints the reason of a failure, also where the input can
// be read only once.
enum weir_result cli_movie_open_again(const struct cli_movie *movie, cli_source **source);

// Make the whole movie and print a line on it. `filter` may be NULL. After a failure prints the
// reason, and what the file holds.
enum weir_result cli_movie_run(struct cli_movie *movie, const struct cli_stream_filter *filter);

// Close it behind work that had this result. Returns what cli_gpu_close_behind() does.
enum weir_result cli_movie_close(struct cli_movie *movie, enum weir_result result);

// True if a scale was given.
bool cli_scale_is_given(const struct cli_scale *scale);

// The parts of a movie, and what they share.

// Choose the shape of the frames, which stay as they are without a scale.
// Errors: WEIR_ERROR_INVALID for one that is larger, which is printed.
enum weir_result cli_movie_choose_shape(struct cli_movie *movie);

// Send frames from the source to the capture until there are no more, replaced by the filter if one
// is given. `*stopped`: it was interrupted.
// Errors: those of the source, of Vulkan and of weir_capture_frame(); the reason is printed.
enum weir_result cli_movie_stream(struct cli_movie *movie, const struct cli_stream_filter *filter,
                                  bool *stopped);

// The same, with frames that become smaller; `multiplies`: by alpha, in light.
enum weir_result cli_movie_stream_scaled(struct cli_movie *movie, bool multiplies, bool *stopped);

// Open the capture for frames like `like`. It outlives the stream.
enum weir_result cli_movie_open_capture(struct cli_movie *movie, const weir_image *like);

// Get what frames on their way may take [bytes].
uint64_t cli_movie_memory_limit(const struct cli_movie *movie);

// Show how far it is, after each frame.
void cli_movie_frame_done(struct cli_movie *movie);

// Whether a frame was the last one, and why.
enum cli_stream_end {
    CLI_STREAM_GOES_ON,
    CLI_STREAM_LEFT, // the source has more, which is not wanted
    CLI_STREAM_DONE, // the source has no more
};

// Open the audio of the input, whose pictures are movie->source. Prints the reason of a failure.
// Close its source in every case.
enum weir_result cli_audio_open(struct cli_movie *movie);

// Send the audio and the chapters up to a frame, after each one with its time, and at the end with
// that of the last one. Errors: those of cli_audio_source_read() and weir_capture_audio().
enum weir_result cli_movie_send_beside(struct cli_movie *movie, int64_t time_ns,
                                       enum cli_stream_end end);

// Print what the input is taken for.
void cli_movie_tell_of_input(const struct cli_movie *movie);

// Print a line on a movie that was made in so many seconds.
void cli_movie_summarize(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                         double seconds);

// Print the state of the output after a failure. Without a frame the capture has not touched it: a
// file that is there is older, and stays. `closed`: the result of closing the capture.
void cli_movie_tell_of_output(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                              enum weir_result closed);

// Print how many frames are not in the movie, and why. The capture waits for room, so none is lost
// for that.
void cli_movie_tell_of_losses(const struct cli_movie *movie,
                              const struct weir_capture_stats *stats);
