// SPDX-License-Identifier: MIT
// Where the frames and samples of several movies go in one.
#include "capture/weir/join/plan.h"

#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/movie/movie.h"

// Sound that is at most so far from the time of its frames is where it belongs: positions are
// rounded, once when it was recorded and once here [samples].
#define ROUNDING 2
// The window of a view [bytes].
#define VIEW_ROOM 4096u

bool join_plan_init(struct join_plan *plan, char *const *paths, size_t num)
{
    *plan = (struct join_plan){.num_inputs = num};
    plan->inputs = calloc(num, sizeof(plan->inputs[0]));
    if (!plan->inputs) {
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        plan->inputs[i].path = paths[i];
        plan->inputs[i].number = i;
    }
    return true;
}

void join_plan_finish(struct join_plan *plan)
{
    weir_movie_finish(&plan->movie);
    for (size_t i = 0; plan->inputs && i < plan->num_inputs; i++) {
        weir_movie_finish(&plan->inputs[i].found.movie);
    }
    free(plan->inputs);
    *plan = (struct join_plan){.num_inputs = 0};
}

static uint64_t segment_start(const struct join_plan *plan, size_t i)
{
    return plan->inputs[i].found.movie.segment.start_ticks;
}

static uint64_t start_of(const struct join_plan *plan, size_t i)
{
    return segment_start(plan, i) - segment_start(plan, 0);
}

// Get the position of a time in a track [samples]. That of a segment is counted from the start of
// the recording, as the capture does it.
static uint64_t position_of(const struct join_plan *plan, uint64_t ticks, uint32_t track)
{
    const uint32_t ticks_per_second = plan->movie.pictures.ticks_per_second;
    const uint32_t sample_rate = plan->movie.audio[track].sample_rate;
    const uint64_t origin = plan->are_segments ? segment_start(plan, 0) : 0;
    return weir_segment_position(origin + ticks, ticks_per_second, sample_rate) -
           weir_segment_position(origin, ticks_per_second, sample_rate);
}

static bool check_start(struct join_plan *plan, const struct join_input *input)
{
    const uint64_t start = input->start_ticks;
    const char *last = input > plan->inputs ? input[-1].path : NULL;
    const struct weir_movie_pictures *pictures = &plan->movie.pictures;
    JOIN_REFUSE_IF(
        last && start <= pictures->last_time, plan,
        "%s begins before %s ends: one of them is damaged; --end-to-end joins them anyway",
        input->path, last);
    JOIN_REFUSE_IF(last && start - pictures->last_time > INT32_MAX, plan,
                   "%s begins %.1f hours after the last frame of %s, which is more than a movie "
                   "can store; join the movies before and after the gap separately, or all without "
                   "the gap by --end-to-end",
                   input->path,
                   (double)(start - pictures->last_time) / pictures->ticks_per_second / 3600, last);
    return true;
}

// Add a piece of the movie, or silence.
bool join_add_piece(struct join_plan *plan, const struct join_input *input, struct weir_piece piece)
{
    struct weir_movie *movie = &plan->movie;
    JOIN_REFUSE_IF(movie->num_pieces == UINT32_MAX, plan,
                   "these are more frames than a movie can list");
    piece.source = (uint32_t)(input - plan->inputs);
    return weir_movie_add(movie, &piece) ||
           join_refuse(plan, "no memory is left for the list of what is in %s", input->path);
}

static bool refuse_late(struct join_plan *plan, const struct join_input *input)
{
    return join_refuse(plan, "audio of %s is later than a movie can store", input->path);
}

// Add samples behind those of the track before them.
static bool add_samples(struct join_plan *plan, const struct join_input *input,
                        struct weir_piece piece)
{
    const struct weir_movie *movie = &plan->movie;
    piece.time = movie->audio[piece.track - 1].num_samples;
    if (piece.time + weir_piece_num_samples(movie, &piece) > WEIR_AUDIO_MAX_SAMPLES) {
        return refuse_late(plan, input);
    }
    return join_add_piece(plan, input, piece);
}

// Add silence up to a position, in pieces of a second.
static bool add_silence(struct join_plan *plan, const struct join_input *input, uint32_t track,
                        uint64_t position)
{
    const struct weir_movie_audio *audio = &plan->movie.audio[track];
    const uint64_t most = weir_min(audio->sample_rate, WEIR_PIECE_MAX_SIZE / audio->sample_size);
    const struct weir_piece silence = {
        .time = audio->num_samples, .track = track + 1, .source = (uint32_t)(input - plan->inputs)};
    if (position > WEIR_AUDIO_MAX_SAMPLES) {
        return refuse_late(plan, input);
    }
    plan->num_silent += position - audio->num_samples;
    return weir_movie_add_silence(&plan->movie, silence, position, (uint32_t)most) ||
           join_refuse(plan, "no memory is left for the list of what is in %s", input->path);
}

// Get where audio of a movie ends at the latest [samples].
static uint64_t limit_of(const struct join_plan *plan, const struct join_input *input,
                         uint32_t track)
{
    const size_t next = (size_t)(input - plan->inputs) + 1;
    return plan->are_segments && next < plan->num_inputs
               ? position_of(plan, start_of(plan, next), track) + ROUNDING
               : UINT64_MAX;
}

// Add samples; the first ones of a movie where its time says, if audio is missing before them.
static bool add_audio(struct join_plan *plan, struct join_input *input,
                      const struct weir_piece *piece)
{
    const uint32_t place = join_track_place(plan, input, piece->track - 1);
    const uint32_t track = plan->track_numbers[place];
    const struct weir_movie_audio *audio = &plan->movie.audio[track];
    const uint64_t first = position_of(plan, input->start_ticks, track) +
                           input->found.tracks[piece->track].delay + piece->time;
    if (!input->has_begun[track] && first > (uint64_t)audio->num_samples + ROUNDING &&
        !add_silence(plan, input, track, first)) {
        return false;
    }
    input->has_begun[track] = true;
    const uint64_t num = audio->num_samples, limit = limit_of(plan, input, track);
    const uint64_t room = num < limit ? limit - num : 0;
    const uint32_t length = piece->size / audio->sample_size;
    const uint32_t kept = length < room ? length : (uint32_t)room;
    plan->num_cut += length - kept;
    return kept == 0 || add_samples(plan, input,
                                    (struct weir_piece){.offset = piece->offset,
                                                        .size = kept * audio->sample_size,
                                                        .track = track + 1});
}

static bool add_pieces(struct join_plan *plan, struct join_input *input)
{
    const struct weir_movie *movie = &input->found.movie;
    bool is_added = true;
    for (uint32_t i = 0; is_added && i < movie->num_pieces; i++) {
        struct weir_piece piece = movie->pieces[i];
        if (piece.track > 0) {
            is_added = add_audio(plan, input, &piece);
        } else {
            piece.time += input->start_ticks;
            is_added = join_add_piece(plan, input, piece);
        }
    }
    return is_added;
}

// Add the chapters of a movie. Those that begin behind its last frame are left out.
static bool add_chapters(struct join_plan *plan, struct join_input *input)
{
    struct weir_movie *own = &input->found.movie;
    const uint32_t ticks_per_second = plan->movie.pictures.ticks_per_second;
    struct weir_chapters *chapters = &own->chapters;
    enum weir_result result = WEIR_OK;
    weir_chapters_cut(chapters, weir_chapter_time(weir_movie_end(own), ticks_per_second));
    for (uint32_t i = 0; i < chapters->num && result >= WEIR_OK; i++) {
        const struct weir_chapter *chapter = &chapters->items[i];
        const uint64_t time = weir_chapter_moved(chapter->time, (int64_t)input->start_ticks,
                                                 ticks_per_second);
        result = weir_chapters_add(&plan->movie.chapters, time, chapter->title);
        plan->num_lost_chapters += result == WEIR_DROPPED;
    }
    return result >= WEIR_OK ||
           join_refuse(plan, "no memory is left for the chapters of %s", input->path);
}

// A segment ends where the next one begins; another movie where the longest of its tracks ends.
static uint64_t end_of(const struct join_plan *plan, uint64_t frames_end)
{
    uint64_t end = frames_end;
    for (uint32_t i = 0; !plan->are_segments && i < plan->movie.num_audio; i++) {
        const uint64_t rate = plan->movie.audio[i].sample_rate;
        const uint64_t num = plan->movie.audio[i].num_samples;
        if (num > position_of(plan, frames_end, i) + ROUNDING) {
            const uint64_t ticks = weir_divide_up(num * plan->movie.pictures.ticks_per_second,
                                                  rate);
            end = ticks > end ? ticks : end;
        }
    }
    return end;
}

// Add movie `i`, and forget its pieces and chapters.
static bool add_input(struct join_plan *plan, size_t i)
{
    struct join_input *input = &plan->inputs[i];
    struct weir_movie *own = &input->found.movie;
    input->start_ticks = plan->are_segments ? start_of(plan, i) : plan->end_ticks;
    const bool is_added = check_start(plan, input) &&
                          (plan->are_parts ? join_part_add(plan, input) : add_pieces(plan, input));
    if (!is_added || !add_chapters(plan, input)) {
        return false;
    }
    plan->movie.pictures.ticks_per_frame = own->pictures.ticks_per_frame;
    plan->end_ticks = end_of(plan, input->start_ticks + weir_movie_end(own));
    weir_chapters_finish(&own->chapters);
    if (!plan->are_parts || i > 0) {
        free(own->pieces);
        own->pieces = NULL;
        own->num_pieces = 0;
    }
    return true;
}

// Those of segments are rounded from the start of the recording, as the capture does it.
struct weir_timecode join_plan_timecode(const struct join_plan *plan, size_t i)
{
    const struct weir_movie *movie = &plan->movie;
    const uint64_t origin = plan->are_segments ? segment_start(plan, 0) : 0;
    const uint32_t ticks_per_second = movie->pictures.ticks_per_second;
    const uint64_t start = origin + plan->inputs[i].start_ticks;
    const uint64_t num = weir_timecode_num_frames(&movie->timecode, start, ticks_per_second) -
                         weir_timecode_num_frames(&movie->timecode, origin, ticks_per_second);
    return weir_timecode_after(&movie->timecode.first, num);
}

// True if the time code of a movie is another one than the whole has there.
static bool differs(const struct join_plan *plan, size_t i)
{
    const struct weir_timecode *own = &plan->inputs[i].found.movie.timecode.first;
    if (own->frames_per_second == 0 || plan->movie.timecode.first.frames_per_second == 0) {
        return own->frames_per_second > 0;
    }
    const struct weir_timecode whole = join_plan_timecode(plan, i);
    return own->start != whole.start || own->frames_per_second != whole.frames_per_second ||
           own->is_drop != whole.is_drop;
}

static void compare_timecodes(struct join_plan *plan)
{
    for (size_t i = plan->num_inputs; i-- > 1;) {
        if (differs(plan, i)) {
            plan->num_other_timecodes++;
            plan->first_other_timecode = i;
        }
    }
}

static bool read_input(struct join_plan *plan, size_t i, const struct join_sources *sources)
{
    struct weir_view_source source;
    struct weir_view view;
    if (!sources->open(sources->user, i, &source)) {
        return false;
    }
    const bool is_read = weir_view_init(&view, &source, VIEW_ROOM)
                             ? join_input_read(plan, &plan->inputs[i], &view)
                             : join_refuse(plan, "no memory is left");
    weir_view_finish(&view);
    return is_read;
}

// Begin the whole with what the first movie says, and no piece.
static void begin(struct join_plan *plan)
{
    struct weir_movie *movie = &plan->movie, *first = &plan->inputs[0].found.movie;
    movie->pictures = first->pictures;
    first->pictures.description = (struct weir_description){.bytes = NULL};
    movie->timecode = first->timecode;
    movie->metadata = first->metadata;
    weir_movie_clear(movie);
}

bool join_plan_make(struct join_plan *plan, const struct join_sources *sources)
{
    bool is_right = true;
    for (size_t i = 0; is_right && i < plan->num_inputs; i++) {
        is_right = read_input(plan, i, sources);
    }
    if (!is_right || !join_inputs_match(plan)) {
        return false;
    }
    begin(plan);
    for (size_t i = 0; is_right && i < plan->num_inputs; i++) {
        is_right = add_input(plan, i);
    }
    compare_timecodes(plan);
    return is_right && (!plan->are_parts || join_parts_add_audio(plan, true));
}
