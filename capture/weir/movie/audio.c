// SPDX-License-Identifier: MIT
// The audio and the chapters of a movie that is made: from the input into the capture, beside the
// frames.
#include "capture/weir/common/interrupt.h"
#include "capture/weir/movie/movie.h"

#define NS_PER_SECOND 1000000000
#define ROUNDING_NS 16 // times of samples are rounded down, once a block and once a part of it
#define LATEST_NS (10 * (int64_t)NS_PER_SECOND)

enum weir_result cli_audio_open(struct cli_movie *movie)
{
    struct cli_audio *audio = &movie->audio;
    const struct weir_source_info *info = &movie->info;
    const bool is_part = info->before_ns > 0;
    const char *apart = movie->params.sound_from;
    if (!apart && info->num_audio == 0) {
        return WEIR_OK;
    }
    CLI_FAIL_IF(apart && cli_is_same_file(apart, movie->params.output), WEIR_ERROR_INVALID,
                "--sound-from %s is the output itself; give the output another name", apart);
    const enum weir_result result = cli_audio_source_open(
        apart ? NULL : movie->source, apart ? apart : movie->params.inputs.paths[0],
        apart ? info->before_ns : info->start_ns, is_part, &audio->source);
    if (audio->source) {
        audio->num_tracks = cli_audio_source_get_tracks(audio->source, audio->tracks);
    } else if (apart && result == WEIR_OK) {
        return cli_fail(WEIR_ERROR_DATA, "--sound-from %s: it has no audio that can be read",
                        apart);
    }
    return result;
}

// Get how many samples of the block begin before a time.
static uint32_t num_before(const struct cli_audio *audio, int64_t until_ns)
{
    const struct weir_audio_block *block = &audio->block;
    const int64_t rate = audio->tracks[block->track].sample_rate;
    const int64_t left_ns = until_ns - block->time_ns;
    if (left_ns <= 0) {
        return 0;
    }
    const int64_t num = left_ns / NS_PER_SECOND * rate +
                        (left_ns % NS_PER_SECOND * rate + NS_PER_SECOND - 1) / NS_PER_SECOND;
    return num < block->num_samples ? (uint32_t)num : block->num_samples;
}

// Hand over the first samples of the block; the others stay.
static enum weir_result send_part(struct cli_audio *audio, weir_capture *capture, uint32_t num)
{
    struct weir_audio_block *block = &audio->block;
    const int64_t rate = audio->tracks[block->track].sample_rate;
    const enum weir_result result = num > 0
                                        ? weir_capture_audio(capture, block->track, block->samples,
                                                             num, block->time_ns)
                                        : WEIR_OK;
    block->samples += (size_t)num * block->sample_size;
    block->num_samples -= num;
    block->time_ns += num * (int64_t)NS_PER_SECOND / rate;
    audio->is_pending = block->num_samples > 0;
    return result;
}

static enum weir_result read_next(struct cli_audio *audio)
{
    const enum weir_result result = cli_audio_source_read(audio->source, &audio->block,
                                                          &audio->has_ended);
    audio->is_pending = result == WEIR_OK && !audio->has_ended;
    if (audio->is_pending && -audio->block.time_ns > audio->early_ns) {
        audio->early_ns = -audio->block.time_ns;
    }
    return result;
}

static bool are_over(const struct cli_audio *audio)
{
    bool are = true;
    for (uint32_t i = 0; i < audio->num_tracks; i++) {
        are = are && audio->is_over[i];
    }
    return are;
}

// Hand over the samples before a time since the first frame, which the capture has. `is_end`: what
// comes later does not belong to the movie. `may_stop`: Ctrl-C leaves out the rest.
static enum weir_result send_audio(struct cli_audio *audio, weir_capture *capture, int64_t until_ns,
                                   bool is_end, bool may_stop)
{
    enum weir_result result = WEIR_OK;
    until_ns -= ROUNDING_NS;
    if (audio->source && is_end) {
        cli_audio_source_end_frames(audio->source, until_ns + LATEST_NS);
    }
    while (audio->source && result >= WEIR_OK && !audio->has_ended) {
        CLI_FAIL_IF(may_stop && cli_interrupted(), WEIR_ERROR_IO, "interrupted");
        result = audio->is_pending ? send_part(audio, capture, num_before(audio, until_ns))
                                   : read_next(audio);
        if (result == WEIR_NOT_READY) {
            return WEIR_OK; // it is handed over after a later frame
        }
        if (audio->is_pending && audio->block.time_ns >= until_ns) {
            if (!is_end) {
                return result;
            }
            // Of other tracks there may be earlier samples, but not much later in the file.
            audio->is_over[audio->block.track] = true;
            audio->has_ended = audio->block.time_ns - until_ns > LATEST_NS || are_over(audio);
            audio->is_pending = false;
        }
    }
    return result;
}

// Send the next chapters that begin at a time since the first frame or before it.
static enum weir_result send_chapters(struct cli_movie *movie, int64_t until_ns)
{
    size_t *next = &movie->num_chapters;
    const struct weir_source_chapter *chapters = movie->info.chapters;
    enum weir_result result = WEIR_OK;
    for (; *next < movie->info.num_chapters && chapters[*next].time_ns <= until_ns &&
           result >= WEIR_OK;
         ++*next) {
        result = weir_capture_chapter(movie->capture, chapters[*next].time_ns,
                                      chapters[*next].title);
    }
    return result < WEIR_OK ? result : WEIR_OK; // the library reports those without room
}

// Say what audio of the input is not in the movie: without a range all of it should be. A few
// milliseconds are the first packet of a codec.
static void tell_of_audio(struct cli_movie *movie, int64_t end_ns)
{
    enum { LEAST_EARLY_NS = 40000000 };
    struct cli_audio *audio = &movie->audio;
    const char *apart = movie->params.sound_from;
    if (movie->info.before_ns > 0) {
        audio->early_ns = 0;
    }
    if (audio->early_ns >= LEAST_EARLY_NS) {
        cli_report_warning("%s: %.3f s of sound before the first picture are cut",
                           apart ? apart : cli_source_name(movie->source),
                           (double)audio->early_ns / 1e9);
    }
    bool is_longer = false;
    for (uint32_t i = 0; i < audio->num_tracks; i++) {
        is_longer = is_longer || audio->is_over[i];
    }
    if (apart && is_longer && movie->info.end_ns == INT64_MAX) {
        cli_report_warning("%s is longer than the pictures: its audio ends with them, after %.3f s",
                           apart, (double)end_ns / 1e9);
    }
}

enum weir_result cli_movie_send_beside(struct cli_movie *movie, int64_t time_ns,
                                       enum cli_stream_end end)
{
    const int64_t frame_ns = (int64_t)movie->info.rate_den * NS_PER_SECOND / movie->info.rate_num;
    // The first part has the audio of all: weir join knows where the pictures end.
    const bool is_whole = movie->params.part.num > 0 && end == CLI_STREAM_DONE;
    const bool ends_alike = !is_whole && (end == CLI_STREAM_LEFT || movie->params.sound_from);
    const int64_t until_ns = end == CLI_STREAM_GOES_ON ? time_ns
                             : ends_alike              ? time_ns + frame_ns
                                                       : INT64_MAX / 4;
    const int64_t end_ns = is_whole ? INT64_MAX : movie->info.end_ns;
    const enum weir_result result = send_audio(&movie->audio, movie->capture,
                                               until_ns < end_ns ? until_ns : end_ns,
                                               end != CLI_STREAM_GOES_ON, end == CLI_STREAM_DONE);
    if (end != CLI_STREAM_GOES_ON) {
        tell_of_audio(movie, until_ns);
    }
    return result >= WEIR_OK
               ? send_chapters(movie, end == CLI_STREAM_GOES_ON ? time_ns : until_ns - 1)
               : result;
}
