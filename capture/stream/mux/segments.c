// SPDX-License-Identifier: MIT
// The sink of segments: a recording becomes several movies, each a plain one of its own.
//
// A segment begins with a frame, and its sound with the sample at the time of that frame. So which
// segment a sample belongs to is known when a frame of its time or a later one is written
// (audio_span() says so), and sound may come after its frames. Therefore segments before the
// current one stay open until their sound is there.
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/base/system.h"
#include "capture/base/thread.h"
#include "capture/movie/movie.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/mux/segment_name.h"
#include "capture/stream/stats.h"

// The most that a fragment takes beside its data: its head, a box that fills up the block, and its
// entries of the index [bytes].
#define FRAGMENT_ROOM 4352u
#define FRAGMENTS_PER_SECOND 10u // of sound, at most
// Enough for a window that is dragged to another size 60 times a second, and sound that comes a
// quarter of a second late.
#define MAX_OPEN 16

struct segment {
    struct weir_mux *mux;
    uint64_t start_ns;                     // time of its first frame
    uint64_t start[WEIR_MAX_AUDIO_TRACKS]; // position of that time [samples]
};

// Times are those since the first frame of the recording, and positions those since that time.
struct segments {
    struct weir_mux base;
    struct weir_mux_params params; // of the current segment, without its path
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    struct weir_segment_name name;
    struct weir_segment id;        // of the current segment
    struct segment open[MAX_OPEN]; // in their order; the last one is the current one
    uint32_t num_open;
    // One segment at a time is closed on a thread of its own: frames do not wait for the disk.
    pthread_t closer;
    bool is_closing;          // the thread was started, and not joined
    struct weir_mux *closing; // the thread's
    atomic_int failure;       // enum weir_result: the first of a segment that was closed
    // The same where another program had replaced the segment: the recording goes on.
    enum weir_result displaced; // of the thread
    uint64_t most_ns;           // length of a segment
    bool has_frames, has_told;
    uint64_t first_ns, first_ticks;          // of the recording's first frame, as it came
    uint64_t last_ns, last_ticks;            // time of the last frame; the ticks as they came
    uint64_t written[WEIR_MAX_AUDIO_TRACKS]; // where the sound that was written ends
};

static const struct segment *current_of(const struct segments *segments)
{
    return &segments->open[segments->num_open - 1];
}

static uint64_t position_of(const struct segments *segments, uint32_t track, uint64_t ticks)
{
    return weir_segment_position(ticks - segments->first_ticks, segments->params.ticks_per_second,
                                 segments->tracks[track].sample_rate);
}

// Open a movie, without a frame yet.
static enum weir_result open_movie(struct segments *segments, struct weir_mux **out)
{
    struct weir_mux_params params = segments->params;
    params.path = weir_segment_name_get(&segments->name, segments->id.number);
    params.is_nofollow = true;
    params.segment = &segments->id;
    params.timecode = weir_timecode_after(&params.timecode,
                                          (segments->id.start_ticks + params.ticks_per_frame / 2) /
                                              params.ticks_per_frame);
    return weir_mux_mov.open(&params, out);
}

// A movie counts the samples of a track in 32 bits. The last sixteenth is for sound that comes
// after its frames.
static uint64_t longest_ns(const struct weir_mux_params *params)
{
    uint64_t most = params->segment_ns > 0 ? params->segment_ns : UINT64_MAX;
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        const uint64_t seconds = WEIR_AUDIO_MAX_SAMPLES / params->audio_tracks[i].sample_rate;
        most = weir_min(most, seconds * 15 / 16 * UINT64_C(1000000000));
    }
    return most;
}

static void destroy(struct segments *segments)
{
    if (segments) {
        weir_segment_name_finish(&segments->name);
    }
    free(segments);
}

static enum weir_result fail_open(const struct weir_log *log, struct segments *segments,
                                  enum weir_log_code code, const char *what, int error)
{
    weir_log_printf(log, WEIR_LOG_ERROR, code, "no %s for a recording in segments: %s", what,
                    strerror(error));
    destroy(segments);
    return error == ENOMEM ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_ERROR_IO;
}

static enum weir_result open_segments(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct segments *segments = calloc(1, sizeof(*segments));
    if (!segments || !weir_segment_name_init(&segments->name, params->path)) {
        return fail_open(&params->log, segments, WEIR_LOG_CODE_OUT_OF_MEMORY, "memory", ENOMEM);
    }
    segments->base.ops = &weir_mux_segments;
    segments->params = *params;
    segments->params.path = NULL;
    segments->params.audio_tracks = segments->tracks;
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        segments->tracks[i] = params->audio_tracks[i];
    }
    segments->most_ns = longest_ns(params);
    segments->id = (struct weir_segment){.number = 1, .ticks_per_second = params->ticks_per_second};
    if (!weir_random(segments->id.recording, sizeof(segments->id.recording))) {
        return fail_open(&params->log, segments, WEIR_LOG_CODE_OPEN_FAILED, "random number", errno);
    }
    const enum weir_result result = open_movie(segments, &segments->open[0].mux);
    segments->num_open = 1;
    *out = &segments->base;
    if (result != WEIR_OK) {
        *out = NULL;
        destroy(segments);
    }
    return result;
}

// Get the size of the current movie with one more frame, and all sound before it.
static uint64_t size_with(const struct segments *segments, const struct weir_mux_packet *packet)
{
    uint64_t size = weir_mux_mov_size(current_of(segments)->mux) + packet->size + FRAGMENT_ROOM;
    for (uint32_t i = 0; i < segments->params.num_audio_tracks; i++) {
        const struct weir_audio_track *track = &segments->tracks[i];
        const uint64_t written = segments->written[i];
        const uint64_t num = weir_max(position_of(segments, i, packet->ticks), written) - written;
        size += num * weir_audio_sample_size(track->format, track->num_channels) +
                (num * FRAGMENTS_PER_SECOND / track->sample_rate + 2) * FRAGMENT_ROOM;
    }
    return size;
}

static bool is_over(const struct segments *segments, const struct weir_mux_packet *packet,
                    uint64_t time_ns)
{
    const struct weir_mux_params *params = &segments->params;
    return time_ns - current_of(segments)->start_ns >= segments->most_ns ||
           (params->segment_bytes > 0 && size_with(segments, packet) > params->segment_bytes);
}

// True if no sound is in the way of a new segment: none is written already that would belong to it,
// and those before have all of their own, or have waited for it long enough.
static bool allows_sound(struct segments *segments, const struct weir_mux_packet *packet,
                         uint64_t time_ns)
{
    for (uint32_t i = 0; i < segments->params.num_audio_tracks; i++) {
        if (segments->written[i] <= position_of(segments, i, packet->ticks)) {
            continue;
        }
        if (!segments->has_told) {
            weir_log_printf(
                &segments->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SEGMENT,
                "audio track %" PRIu32
                " is too far ahead of the frames for a segment to begin: it should come "
                "together with them",
                i);
            segments->has_told = true;
        }
        return false;
    }
    return segments->num_open == 1 ||
           time_ns - current_of(segments)->start_ns >= segments->params.audio_buffer_ns;
}

static bool begins_segment(struct segments *segments, const struct weir_mux_packet *packet,
                           uint64_t time_ns)
{
    // A movie cannot hold a frame of another format, or behind a gap, beside those before it.
    return packet->format.number != segments->params.format.number ||
           time_ns - segments->last_ns > segments->params.max_gap_ns ||
           (is_over(segments, packet, time_ns) && allows_sound(segments, packet, time_ns));
}

// True if the oldest open segment has all of its sound.
static bool has_all_sound(const struct segments *segments)
{
    for (uint32_t i = 0; i < segments->params.num_audio_tracks; i++) {
        if (segments->written[i] < segments->open[1].start[i]) {
            return false;
        }
    }
    return true;
}

static void *run_closer(void *user)
{
    struct segments *segments = user;
    bool is_displaced;
    const enum weir_result result = weir_mux_mov_close(segments->closing, &is_displaced);
    int none = WEIR_OK;
    if (is_displaced) {
        segments->displaced = result;
    } else if (result != WEIR_OK) {
        atomic_compare_exchange_strong(&segments->failure, &none, (int)result);
    }
    return NULL;
}

static void wait_for_closer(struct segments *segments)
{
    if (segments->is_closing) {
        pthread_join(segments->closer, NULL);
        segments->is_closing = false;
    }
}

// Close the oldest segment, here if the system gives no thread.
static void retire_oldest(struct segments *segments)
{
    wait_for_closer(segments);
    segments->closing = segments->open[0].mux;
    segments->is_closing = weir_thread_start(&segments->closer, "weir-closer", run_closer,
                                             segments);
    if (!segments->is_closing) {
        run_closer(segments);
    }
    segments->num_open--;
    memmove(&segments->open[0], &segments->open[1], segments->num_open * sizeof(segments->open[0]));
}

static void retire_complete(struct segments *segments)
{
    while (segments->num_open > 1 && has_all_sound(segments)) {
        retire_oldest(segments);
    }
}

static void end_segments(struct weir_mux *mux, uint64_t ticks)
{
    struct weir_mux *movie = current_of((const struct segments *)mux)->mux;
    movie->ops->end(movie, ticks);
}

static enum weir_result begin_segment(struct segments *segments,
                                      const struct weir_mux_packet *packet, uint64_t time_ns)
{
    struct segment next = {.start_ns = time_ns};
    for (uint32_t i = 0; i < segments->params.num_audio_tracks; i++) {
        next.start[i] = position_of(segments, i, packet->ticks);
    }
    segments->id.number++;
    segments->id.start_ticks = packet->ticks - segments->first_ticks;
    if (packet->format.number != segments->params.format.number) {
        segments->params.format = packet->format;
    }
    WEIR_TRY(open_movie(segments, &next.mux));
    if (time_ns - segments->last_ns <= segments->params.max_gap_ns) {
        end_segments(&segments->base, packet->ticks);
    }
    if (segments->num_open == MAX_OPEN) {
        retire_oldest(segments);
    }
    segments->open[segments->num_open++] = next;
    retire_complete(segments);
    return WEIR_OK;
}

// Sound that is in the segment before already is silence in a new one that could not wait.
static enum weir_result fill_lead(const struct segments *segments)
{
    const struct segment *current = current_of(segments);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < segments->params.num_audio_tracks && result == WEIR_OK; i++) {
        const uint64_t begin = current->start[i], end = weir_max(begin, segments->written[i]);
        result = weir_mux_write_silence(current->mux, i, &segments->tracks[i], 0, end - begin);
    }
    return result;
}

static void tell(const struct segments *segments)
{
    weir_counts_change(segments->params.counts, WEIR_COUNT(segments), 1);
    weir_log_printf(&segments->params.log, WEIR_LOG_INFO, WEIR_LOG_CODE_SEGMENT,
                    "segment %" PRIu32 " begins at %" PRIu64 ".%03" PRIu64 " s: '%s'",
                    segments->id.number, current_of(segments)->start_ns / 1000000000u,
                    current_of(segments)->start_ns / 1000000u % 1000u, segments->name.path);
}

static enum weir_result write_frame(struct segments *segments, const struct weir_mux_packet *packet)
{
    enum weir_result result = (enum weir_result)atomic_load(&segments->failure);
    bool begins = !segments->has_frames;
    if (begins) {
        segments->has_frames = true;
        segments->first_ns = packet->time_ns;
        segments->first_ticks = segments->last_ticks = packet->ticks;
    }
    const uint64_t time_ns = packet->time_ns - segments->first_ns;
    if (result == WEIR_OK && !begins && begins_segment(segments, packet, time_ns)) {
        begins = true;
        result = begin_segment(segments, packet, time_ns);
    }
    if (result == WEIR_OK) {
        struct weir_mux *movie = current_of(segments)->mux;
        result = movie->ops->write(movie, packet);
    }
    if (result == WEIR_OK) {
        segments->last_ns = time_ns;
        segments->last_ticks = packet->ticks;
    }
    if (result == WEIR_OK && begins) {
        tell(segments);
        result = fill_lead(segments);
    }
    return result;
}

// Give samples to the movies that they belong to, of which they may be in several.
static enum weir_result write_audio(struct segments *segments, const struct weir_mux_packet *audio)
{
    const uint32_t track = audio->track - 1;
    uint64_t begin = audio->ticks;
    const uint64_t end = begin + audio->num_samples;
    const uint32_t sample_size = audio->size / audio->num_samples;
    struct weir_mux_packet part = *audio;
    enum weir_result result = (enum weir_result)atomic_load(&segments->failure);
    for (uint32_t i = 0; i < segments->num_open && result == WEIR_OK; i++) {
        const bool is_last = i + 1 == segments->num_open;
        const uint64_t stop = is_last ? end : weir_min(end, segments->open[i + 1].start[track]);
        if (begin < stop) {
            part.num_samples = (uint32_t)(stop - begin);
            part.size = part.num_samples * sample_size;
            part.ticks = begin - segments->open[i].start[track];
            result = segments->open[i].mux->ops->write(segments->open[i].mux, &part);
            part.data += part.size;
            begin = stop;
        }
    }
    segments->written[track] = end;
    retire_complete(segments);
    return result;
}

static enum weir_result write_segments(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct segments *segments = (struct segments *)mux;
    return packet->track > 0 ? write_audio(segments, packet) : write_frame(segments, packet);
}

// Give a chapter to the movie that it begins in, or the oldest one where that is closed.
static void write_chapter_segments(struct weir_mux *mux, const struct weir_mux_chapter *chapter)
{
    struct segments *segments = (struct segments *)mux;
    uint32_t i = segments->num_open - 1;
    while (i > 0 && segments->first_ns + segments->open[i].start_ns > chapter->time_ns) {
        i--;
    }
    segments->open[i].mux->ops->write_chapter(segments->open[i].mux, chapter);
}

static struct weir_mux_span span_of_segments(const struct weir_mux *mux, uint32_t track)
{
    const struct segments *segments = (const struct segments *)mux;
    const uint64_t boundary = current_of(segments)->start[track];
    return (struct weir_mux_span){
        .begin = segments->open[0].start[track],
        .known = position_of(segments, track, segments->last_ticks),
        .end = boundary + WEIR_AUDIO_MAX_SAMPLES,
        .is_wanted = segments->written[track] < boundary,
    };
}

static enum weir_result close_segments(struct weir_mux *mux)
{
    struct segments *segments = (struct segments *)mux;
    wait_for_closer(segments);
    enum weir_result result = (enum weir_result)atomic_load(&segments->failure);
    for (uint32_t i = 0; i < segments->num_open; i++) {
        struct weir_mux *movie = segments->open[i].mux;
        const enum weir_result closed = movie->ops->close(movie);
        result = result == WEIR_OK ? closed : result;
    }
    result = result == WEIR_OK ? segments->displaced : result;
    destroy(segments);
    return result;
}

const struct weir_mux_ops weir_mux_segments = {
    .open = open_segments,
    .write = write_segments,
    .write_chapter = write_chapter_segments,
    .end = end_segments,
    .close = close_segments,
    .audio_span = span_of_segments,
};
