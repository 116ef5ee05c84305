// SPDX-License-Identifier: MIT
// Where the frames and samples of several movies go in one.
#include "capture/weir/join/plan.h"

#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/movie/fragment.h"
#include "capture/movie/head.h"
#include "capture/movie/head_copy.h"
#include "capture/movie/movie.h"
#include "capture/weir/join/chapters.h"
#include "capture/weir/join/timecode.h"

// Sound that is at most so far from the time of its frames is where it belongs: positions are
// rounded, once when it was recorded and once here [samples].
#define ROUNDING 2

bool join_plan_init(struct join_plan *plan, char *const *paths, size_t num)
{
    *plan = (struct join_plan){.num_inputs = num};
    plan->inputs = calloc(num, sizeof(plan->inputs[0]));
    plan->parts = calloc(num, sizeof(plan->parts[0]));
    if (!plan->inputs || !plan->parts) {
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        plan->inputs[i].path = paths[i];
        plan->inputs[i].number = i;
    }
    return true;
}

void join_plan_begin(struct join_plan *plan, bool are_segments)
{
    struct remux_movie *movie = &plan->movie;
    plan->are_segments = are_segments;
    join_tracks_number(&plan->tracks);
    movie->ticks_per_second = plan->inputs[0].moov.track.ticks_per_second;
    movie->num_audio = plan->tracks.num;
    movie->chapters = &plan->chapters;
    for (uint32_t i = 0; i < WEIR_MOOV_MAX_AUDIO; i++) {
        const struct join_track *track = &plan->tracks.list[i];
        if (track->path) {
            movie->audio[track->number] = (struct remux_audio){
                .sample_rate = track->found.sample_rate, .sample_size = track->found.sample_size};
        }
    }
}

void join_plan_finish(struct join_plan *plan)
{
    join_tracks_finish(&plan->tracks);
    remux_movie_finish(&plan->movie);
    weir_chapters_finish(&plan->chapters);
    free(plan->inputs);
    free(plan->parts);
    free(plan->head);
    *plan = (struct join_plan){.num_inputs = 0};
}

// Get the position of a time in a track [samples]. That of a segment is counted from the start of
// the recording, as the capture does it.
static uint64_t position_of(const struct join_plan *plan, uint64_t ticks, uint32_t track)
{
    const uint32_t ticks_per_second = plan->movie.ticks_per_second;
    const uint32_t sample_rate = plan->movie.audio[track].sample_rate;
    const uint64_t origin = plan->are_segments ? plan->inputs[0].segment.start_ticks : 0;
    return weir_segment_position(origin + ticks, ticks_per_second, sample_rate) -
           weir_segment_position(origin, ticks_per_second, sample_rate);
}

static bool check_start(const struct join_plan *plan, const struct join_input *input,
                        uint64_t start, char refusal[JOIN_REFUSAL_SIZE])
{
    const char *last = plan->num_parts > 0 ? input[-1].path : NULL;
    if (last && start <= plan->last_ticks) {
        return join_refuse(refusal,
                           "%s begins before %s ends: one of them is damaged; --end-to-end joins "
                           "them nevertheless",
                           input->path, last);
    }
    if (last && start - plan->last_ticks > INT32_MAX) {
        return join_refuse(refusal,
                           "%s begins %.1f hours after the last frame of %s, which is more than a "
                           "movie can say; join those before and those after apart, or all of "
                           "them without the gap by --end-to-end",
                           input->path,
                           (double)(start - plan->last_ticks) / plan->movie.ticks_per_second / 3600,
                           last);
    }
    return true;
}

// What goes on while a movie is added.
struct adding {
    struct join_plan *plan;
    const struct join_input *input;
    uint64_t start;                       // [ticks]
    uint64_t limits[WEIR_MOOV_MAX_AUDIO]; // where sound ends at the latest [samples]
    bool has_begun[WEIR_MOOV_MAX_AUDIO];  // samples of the track were added
    uint32_t source;
    uint64_t room; // of the file, that no piece has taken [bytes]
    size_t num_frames;
    uint64_t end_ticks; // of its last frame, in the movie itself
    char *refusal;
};

static bool add_piece(struct adding *adding, const struct remux_piece *piece)
{
    return remux_movie_add(&adding->plan->movie, piece) ||
           join_refuse(adding->refusal, "there is no memory for the list of what is in %s",
                       adding->input->path);
}

static bool refuse_damage(const struct adding *adding)
{
    return join_refuse(adding->refusal,
                       "%s: its index does not agree with what is in it; weir recover finds its "
                       "frames",
                       adding->input->path);
}

static bool add_frame(struct adding *adding, const struct weir_sample *sample)
{
    struct join_plan *plan = adding->plan;
    if (sample->length == 0 || sample->length > INT32_MAX) {
        return refuse_damage(adding);
    }
    if (plan->num_frames == UINT32_MAX) {
        return join_refuse(adding->refusal, "these are more frames than a movie can list");
    }
    plan->num_frames++;
    adding->num_frames++;
    adding->end_ticks = sample->time + sample->length;
    plan->last_ticks = adding->start + sample->time;
    plan->movie.ticks_per_frame = sample->length;
    return add_piece(adding, &(const struct remux_piece){.offset = sample->offset,
                                                         .time = plan->last_ticks,
                                                         .size = sample->size,
                                                         .source = adding->source});
}

// Add samples behind those of the track before them.
static bool add_samples(struct adding *adding, struct remux_piece piece)
{
    struct join_plan *plan = adding->plan;
    uint64_t *num = &plan->num_samples[piece.track - 1];
    piece.time = *num;
    piece.source = adding->source;
    *num += remux_piece_samples(&plan->movie, &piece);
    if (*num > WEIR_AUDIO_MAX_SAMPLES) {
        return join_refuse(adding->refusal, "sound of %s lies behind the last that a movie can say",
                           adding->input->path);
    }
    return add_piece(adding, &piece);
}

// Add silence up to a position, in pieces of a second.
static bool add_silence(struct adding *adding, uint32_t track, uint64_t position)
{
    struct join_plan *plan = adding->plan;
    const struct remux_audio *audio = &plan->movie.audio[track];
    const uint32_t most = (UINT32_MAX - 8) / audio->sample_size;
    const uint32_t second = audio->sample_rate < most ? audio->sample_rate : most;
    while (plan->num_samples[track] < position) {
        const uint64_t left = position - plan->num_samples[track];
        const uint32_t num = left < second ? (uint32_t)left : second;
        if (!add_samples(adding, (struct remux_piece){.size = num * audio->sample_size,
                                                      .track = (uint8_t)(track + 1),
                                                      .is_silence = true})) {
            return false;
        }
        plan->num_silent += num;
    }
    return true;
}

// Add samples; the first ones of a movie where its time says, if sound is missing before them.
static bool add_sound(struct adding *adding, const struct weir_sample *sample)
{
    struct join_plan *plan = adding->plan;
    const uint32_t index = sample->track - 1;
    const uint32_t track =
        plan->tracks.list[join_tracks_place(&plan->tracks, adding->input, index)].number;
    const uint64_t first = position_of(plan, adding->start, track) +
                           adding->input->audio_delays[index] + sample->time;
    if (!adding->has_begun[track] && first > plan->num_samples[track] + ROUNDING &&
        !add_silence(adding, track, first)) {
        return false;
    }
    adding->has_begun[track] = true;
    const uint64_t num = plan->num_samples[track], limit = adding->limits[track];
    const uint64_t room = num < limit ? limit - num : 0;
    const uint32_t kept = sample->length < room ? sample->length : (uint32_t)room;
    plan->num_cut += sample->length - kept;
    return kept == 0 || add_samples(adding, (struct remux_piece){
                                                .offset = sample->offset,
                                                .size = kept * plan->movie.audio[track].sample_size,
                                                .track = (uint8_t)(track + 1)});
}

// No two pieces share bytes: tables that say so are damaged, or want to fill the disk.
static bool visit_sample(void *user, const struct weir_sample *sample)
{
    struct adding *adding = user;
    if (sample->size == 0 || sample->size > adding->room) {
        return refuse_damage(adding);
    }
    adding->room -= sample->size;
    return sample->track == 0 ? add_frame(adding, sample) : add_sound(adding, sample);
}

static bool add_content(struct adding *adding, struct weir_view *view)
{
    uint32_t damaged;
    adding->room = view->source.size;
    adding->refusal[0] = 0;
    if (weir_samples_read(view, &adding->input->moov, visit_sample, adding, &damaged) != WEIR_OK) {
        return join_refuse(adding->refusal, "there is no memory for the list of what is in %s",
                           adding->input->path);
    }
    if (adding->refusal[0] != 0 || damaged != 0) {
        return adding->refusal[0] == 0 ? refuse_damage(adding) : false;
    }
    return adding->num_frames > 0 ||
           join_refuse(adding->refusal, "%s has no frames", adding->input->path);
}

// Begin the head of the whole with what the first movie says.
static bool begin_head(struct join_plan *plan, struct weir_view *view,
                       char refusal[JOIN_REFUSAL_SIZE])
{
    const struct join_input *first = &plan->inputs[0];
    const size_t room = WEIR_HEAD_MAX_REST + (1 + plan->tracks.num) * (size_t)WEIR_HEAD_MAX_TRACK;
    plan->head = malloc(room);
    if (!plan->head) {
        return join_refuse(refusal, "there is no memory for the head of the movie");
    }
    struct weir_boxes boxes = {.bytes = plan->head, .room = room};
    weir_head_write_ftyp(&boxes);
    plan->movie.moov = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    if (!weir_head_copy_mvhd(view, &first->moov.box, &boxes) ||
        !weir_head_copy_track(view, &first->moov.trak, WEIR_FRAGMENT_TRACK, &boxes)) {
        return join_refuse(refusal, "%s: the boxes of its pictures cannot be copied", first->path);
    }
    plan->movie.head = plan->head;
    plan->movie.head_size = boxes.size;
    return true;
}

// A segment ends where the next one begins; another movie where the longest of its tracks ends.
static uint64_t end_of(const struct join_plan *plan, uint64_t frames_end)
{
    uint64_t end = frames_end;
    for (uint32_t i = 0; !plan->are_segments && i < plan->movie.num_audio; i++) {
        const uint64_t rate = plan->movie.audio[i].sample_rate, num = plan->num_samples[i];
        if (num > position_of(plan, frames_end, i) + ROUNDING) {
            const uint64_t ticks = weir_divide_up(num * plan->movie.ticks_per_second, rate);
            end = ticks > end ? ticks : end;
        }
    }
    return end;
}

static uint64_t start_of(const struct join_plan *plan, size_t i)
{
    return plan->inputs[i].segment.start_ticks - plan->inputs[0].segment.start_ticks;
}

bool join_plan_add(struct join_plan *plan, struct weir_view *view, char refusal[JOIN_REFUSAL_SIZE])
{
    const size_t i = plan->num_parts;
    const struct join_input *input = &plan->inputs[i];
    struct adding adding = {
        .plan = plan,
        .input = input,
        .start = plan->are_segments ? start_of(plan, i) : plan->end_ticks,
        .source = (uint32_t)i,
        .refusal = refusal,
    };
    for (uint32_t track = 0; track < plan->movie.num_audio; track++) {
        const bool is_limited = plan->are_segments && i + 1 < plan->num_inputs;
        adding.limits[track] = is_limited
                                   ? position_of(plan, start_of(plan, i + 1), track) + ROUNDING
                                   : UINT64_MAX;
    }
    const bool is_added = (i > 0 || begin_head(plan, view, refusal)) &&
                          join_tracks_copy(&plan->tracks, view, input, refusal) &&
                          check_start(plan, input, adding.start, refusal) &&
                          add_content(&adding, view) &&
                          join_chapters_add(plan, view, adding.start, adding.end_ticks, refusal);
    if (is_added) {
        plan->parts[plan->num_parts++] = (struct join_part){.start_ticks = adding.start,
                                                            .num_frames = adding.num_frames};
        plan->end_ticks = end_of(plan, adding.start + adding.end_ticks);
    }
    return is_added;
}

bool join_plan_complete(struct join_plan *plan, char refusal[JOIN_REFUSAL_SIZE])
{
    struct remux_movie *movie = &plan->movie;
    const uint32_t num_tracks = 1 + plan->tracks.num;
    struct weir_boxes boxes = {
        .bytes = plan->head,
        .size = movie->head_size,
        .room = WEIR_HEAD_MAX_REST + num_tracks * (size_t)WEIR_HEAD_MAX_TRACK,
    };
    // The number of the next track is the last of mvhd, the first box in moov.
    const size_t mvhd = movie->moov + 8;
    struct weir_boxes next = {
        .bytes = plan->head + mvhd + weir_boxes_read_u32(plan->head + mvhd) - 4, .room = 4};
    weir_boxes_u32(&next, 1 + num_tracks);
    for (uint32_t i = 0; i < WEIR_MOOV_MAX_AUDIO; i++) {
        const struct join_track *track = &plan->tracks.list[i];
        if (track->trak) {
            weir_boxes_copy(&boxes, track->trak, track->trak_size);
        }
    }
    weir_head_write_mvex(&boxes, num_tracks);
    weir_boxes_end(&boxes, movie->moov);
    movie->head_size = boxes.size;
    if (boxes.overflow) {
        return join_refuse(refusal, "the boxes of its tracks are longer than those of any movie");
    }
    return join_timecode_insert(plan) ||
           join_refuse(refusal, "there is no memory for the head of the movie");
}
