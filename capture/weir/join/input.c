// SPDX-License-Identifier: MIT
// Movies that are joined: what each says of itself, whether they go together, and in which order.
#include "capture/weir/join/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/movie/hap.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/shared_options.h"

// The number that the first audio track has in a file of Weir's.
#define FIRST_AUDIO 2u

bool join_refuse(struct join_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->refusal, sizeof(plan->refusal), format, arguments);
    va_end(arguments);
    return false;
}

static bool read_head(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    const enum weir_result result = weir_movie_read(view, &input->found);
    JOIN_REFUSE_IF(result == WEIR_NOT_READY, plan,
                   "%s has no index: it was not closed, its end was cut off, or it is not "
                   "a movie; repair it with weir recover first",
                   input->path);
    JOIN_REFUSE_IF(result == WEIR_ERROR_OUT_OF_MEMORY, plan, "no memory is left for the head of %s",
                   input->path);
    JOIN_REFUSE_IF(result != WEIR_OK, plan, "%s: its index is damaged, or has no pictures",
                   input->path);
    JOIN_REFUSE_IF(input->found.is_fragmented, plan,
                   "%s was not closed: run weir recover on it first", input->path);
    return true;
}

static bool check_tracks(struct join_plan *plan, const struct join_input *input)
{
    const struct weir_movie_found *found = &input->found;
    const uint32_t tag = found->movie.pictures.tag;
    JOIN_REFUSE_IF(!weir_hap_codec_of_tag(tag), plan,
                   "%s: its pictures are '%s', and only HAP movies are joined; convert it "
                   "with weir transcode first",
                   input->path, cli_fourcc_of(tag).text);
    JOIN_REFUSE_IF(!found->is_ours && found->foreign == WEIR_BOX("soun"), plan,
                   "%s: its audio is compressed, and only PCM is joined; convert it first: "
                   "ffmpeg -i FILE -map 0 -c copy -c:a pcm_s16le NEW.mov",
                   input->path);
    JOIN_REFUSE_IF(!found->is_ours, plan,
                   "%s has other tracks than pictures and then audio; remove them first: "
                   "ffmpeg -i FILE -map 0:v:0 -map 0:a? -c copy NEW.mov",
                   input->path);
    return true;
}

// Audio may begin behind the pictures, as FFmpeg cuts it; anything else of edit lists is refused.
static bool check_edits(struct join_plan *plan, const struct join_input *input)
{
    const struct weir_track_place *tracks = input->found.tracks;
    bool is_whole = tracks[0].delay == 0;
    for (uint32_t i = 0; i <= input->found.movie.num_audio; i++) {
        is_whole = is_whole && !tracks[i].is_edited;
    }
    return is_whole ||
           join_refuse(plan,
                       "%s: its edit list leaves out a part of a track, or delays its pictures; "
                       "remove the list first: ffmpeg -i FILE -c copy -use_editlist 0 NEW.mov",
                       input->path);
}

static bool read_tables(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    struct weir_movie_found *found = &input->found;
    JOIN_REFUSE_IF(weir_movie_read_tables(view, found->tracks, &found->movie) != WEIR_OK, plan,
                   "no memory is left for the list of what is in %s", input->path);
    JOIN_REFUSE_IF(found->movie.pictures.num_frames == 0 && !found->tracks[0].is_damaged, plan,
                   "%s has no frames", input->path);
    return weir_movie_is_sound(found, view->source.size) ||
           join_refuse(plan,
                       "%s: its index does not match its contents; weir recover finds its frames",
                       input->path);
}

bool join_input_read(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    if (!read_head(plan, input, view) || !check_tracks(plan, input) || !check_edits(plan, input) ||
        !read_tables(plan, input, view)) {
        return false;
    }
    struct weir_movie *movie = &input->found.movie;
    if (cli_movie_is_part(&movie->segment)) {
        const uint32_t ticks_per_second = movie->pictures.ticks_per_second;
        movie->segment.start_ticks = weir_scale_round(movie->segment.start_ticks, ticks_per_second,
                                                      WEIR_PART_TICKS);
        movie->segment.ticks_per_second = ticks_per_second;
    }
    return movie->segment.number == 0 ||
           movie->segment.ticks_per_second == movie->pictures.ticks_per_second ||
           join_refuse(plan,
                       "%s: its note of the recording does not match its pictures; --end-to-end "
                       "joins it in the order given",
                       input->path);
}

static const char *alpha_name(uint16_t graphics_mode)
{
    enum { STRAIGHT = 0x100, PREMULTIPLIED = 0x102 };
    return graphics_mode == STRAIGHT        ? "straight"
           : graphics_mode == PREMULTIPLIED ? "premultiplied"
                                            : "none";
}

static bool have_same_color(const struct weir_movie_pictures *a,
                            const struct weir_movie_pictures *b)
{
    const bool are_said = a->color_primaries != 0 && b->color_primaries != 0;
    return !are_said ||
           (a->color_primaries == b->color_primaries && a->color_transfer == b->color_transfer &&
            a->color_matrix == b->color_matrix);
}

static bool check_pair(struct join_plan *plan, const struct join_input *other)
{
    const struct join_input *first = &plan->inputs[0];
    const struct weir_movie_pictures *a = &first->found.movie.pictures,
                                     *b = &other->found.movie.pictures;
    JOIN_REFUSE_IF(a->tag != b->tag, plan, "%s is %s, and %s is %s: join movies of one codec",
                   first->path, weir_hap_codec_of_tag(a->tag)->name, other->path,
                   weir_hap_codec_of_tag(b->tag)->name);
    JOIN_REFUSE_IF(a->width != b->width || a->height != b->height, plan,
                   "%s is %ux%u, and %s is %ux%u: join movies of one size", first->path, a->width,
                   a->height, other->path, b->width, b->height);
    JOIN_REFUSE_IF(a->ticks_per_second != b->ticks_per_second, plan,
                   "%s has %u ticks a second, and %s has %u; convert it first: ffmpeg -i "
                   "FILE -c copy -video_track_timescale %u NEW.mov",
                   first->path, a->ticks_per_second, other->path, b->ticks_per_second,
                   a->ticks_per_second);
    JOIN_REFUSE_IF(weir_hap_codec_of_tag(a->tag)->has_alpha && a->graphics_mode != b->graphics_mode,
                   plan, "the alpha of %s is %s, and that of %s is %s", first->path,
                   alpha_name(a->graphics_mode), other->path, alpha_name(b->graphics_mode));
    return have_same_color(a, b) ||
           join_refuse(plan,
                       "%s and %s have other colours: primaries %u and %u, transfer "
                       "functions %u and %u, matrices %u and %u",
                       first->path, other->path, a->color_primaries, b->color_primaries,
                       a->color_transfer, b->color_transfer, a->color_matrix, b->color_matrix);
}

// Check that the pictures of all movies are alike, and that movies that are no segments have as
// many audio tracks.
static bool check_alike(struct join_plan *plan)
{
    const struct join_input *inputs = plan->inputs;
    const uint32_t num_audio = inputs[0].found.movie.num_audio;
    for (size_t i = 1; i < plan->num_inputs; i++) {
        if (!check_pair(plan, &inputs[i])) {
            return false;
        }
        JOIN_REFUSE_IF(!plan->are_segments && inputs[i].found.movie.num_audio != num_audio, plan,
                       "%s has %u audio track%s, and %s has %u; ffmpeg -map chooses "
                       "tracks, and its filter anullsrc makes silent ones",
                       inputs[0].path, num_audio, num_audio == 1 ? "" : "s", inputs[i].path,
                       inputs[i].found.movie.num_audio);
    }
    return true;
}

static const struct weir_segment *segment_of(const struct join_input *input)
{
    return &input->found.movie.segment;
}

static bool are_of_one_recording(struct join_plan *plan)
{
    const struct join_input *inputs = plan->inputs;
    const struct weir_segment *first = segment_of(&inputs[0]);
    for (size_t i = 1; i < plan->num_inputs; i++) {
        const struct weir_segment *next = segment_of(&inputs[i]);
        if ((next->number > 0) != (first->number > 0)) {
            const size_t its = first->number > 0 ? 0 : i;
            const struct weir_segment *segment = segment_of(&inputs[its]);
            return join_refuse(
                plan, "%s is %s %u, and %s is none; --end-to-end joins them as given",
                inputs[its].path, cli_segment_name(segment), segment->number, inputs[i - its].path);
        }
        JOIN_REFUSE_IF(memcmp(next->recording, first->recording, WEIR_RECORDING_ID_SIZE) != 0, plan,
                       "%s and %s are segments or parts of different movies; --end-to-end "
                       "joins them as given",
                       inputs[0].path, inputs[i].path);
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = segment_of(a)->number, y = segment_of(b)->number;
    return (x > y) - (x < y);
}

static bool check_numbers(struct join_plan *plan)
{
    const struct join_input *inputs = plan->inputs;
    for (size_t i = 1; i < plan->num_inputs; i++) {
        const struct weir_segment *last = segment_of(&inputs[i - 1]);
        const struct weir_segment *next = segment_of(&inputs[i]);
        const char *last_path = inputs[i - 1].path, *next_path = inputs[i].path;
        JOIN_REFUSE_IF(next->number == last->number, plan,
                       "%s and %s are both %s %u: leave out one of them", last_path, next_path,
                       cli_segment_name(last), last->number);
        JOIN_REFUSE_IF(next->start_ticks <= last->start_ticks, plan,
                       "%s does not begin after %s: one of them is damaged", next_path, last_path);
        JOIN_REFUSE_IF(next->number != last->number + 1 && !plan->allows_gaps, plan,
                       "segment %u is missing: %s is number %u, and %s number %u; --gaps "
                       "joins them with a gap of that length",
                       last->number + 1, last_path, last->number, next_path, next->number);
    }
    return true;
}

// Put segments in the order of their recording; other movies stay in the order given.
static bool order(struct join_plan *plan)
{
    plan->are_segments = !plan->is_end_to_end && segment_of(&plan->inputs[0])->number > 0;
    if (plan->is_end_to_end) {
        return true;
    }
    if (!are_of_one_recording(plan)) {
        return false;
    }
    if (!plan->are_segments) {
        return true;
    }
    qsort(plan->inputs, plan->num_inputs, sizeof(plan->inputs[0]), compare_numbers);
    plan->are_parts = cli_movie_is_part(segment_of(&plan->inputs[0]));
    return (!plan->are_parts || join_parts_check(plan)) && check_numbers(plan);
}

uint32_t join_track_place(const struct join_plan *plan, const struct join_input *input,
                          uint32_t index)
{
    const uint32_t place = plan->are_segments ? input->found.tracks[1 + index].id - FIRST_AUDIO
                                              : index;
    return place < WEIR_MOVIE_MAX_AUDIO ? place : WEIR_MOVIE_MAX_AUDIO;
}

// Say a language, which may be one of the numbers that came before the codes of three letters.
static const char *name_language(const struct weir_movie_audio *audio, char text[32])
{
    char language[4];
    weir_movie_language(audio, language);
    const bool is_number = language[0] == 0 && audio->language < WEIR_LANGUAGE_LEAST_CODE;
    if (is_number) {
        snprintf(text, 32, "number %u of the Macintosh", audio->language);
        return text;
    }
    snprintf(text, 32, "%s", language[0] ? language : "none");
    return text;
}

static bool have_same_description(const struct weir_movie_audio *a,
                                  const struct weir_movie_audio *b)
{
    return a->description.size == b->description.size &&
           memcmp(a->description.bytes, b->description.bytes, a->description.size) == 0;
}

// Compare audio track `index` of a movie with the one at its place.
static bool compare(struct join_plan *plan, const struct join_input *input, uint32_t index,
                    uint32_t place)
{
    const char *path = plan->track_paths[place];
    const struct weir_movie_audio *a = &plan->movie.audio[place],
                                  *b = &input->found.movie.audio[index];
    const struct {
        const char *name;
        uint32_t of_first, of_other;
    } numbers[] = {
        {"samples a second", a->sample_rate, b->sample_rate},
        {"channels", a->num_channels, b->num_channels},
        {"bytes a sample", a->sample_size, b->sample_size},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        JOIN_REFUSE_IF(numbers[i].of_first != numbers[i].of_other, plan,
                       "%s: audio track %u has %u %s, and that of %s has %u", input->path,
                       index + 1, numbers[i].of_other, numbers[i].name, path, numbers[i].of_first);
    }
    if (a->language != b->language) {
        char first[32], other[32];
        return join_refuse(plan, "%s: audio track %u has the language %s, and that of %s %s",
                           input->path, index + 1, name_language(b, other), path,
                           name_language(a, first));
    }
    if (a->layout != b->layout) {
        char first[WEIR_LAYOUT_TEXT], other[WEIR_LAYOUT_TEXT];
        weir_layout_format(a->layout, first);
        weir_layout_format(b->layout, other);
        return join_refuse(plan, "%s: audio track %u has the channels %s, and that of %s %s",
                           input->path, index + 1, other[0] ? other : "of no layout", path,
                           first[0] ? first : "of no layout");
    }
    JOIN_REFUSE_IF(!have_same_description(a, b), plan,
                   "%s: audio track %u has another format than that of %s", input->path, index + 1,
                   path);
    return true;
}

static bool add(struct join_plan *plan, struct join_input *input, uint32_t index, uint32_t place)
{
    struct weir_movie_audio *audio = &input->found.movie.audio[index];
    JOIN_REFUSE_IF(!audio->description.bytes || place == WEIR_MOVIE_MAX_AUDIO, plan,
                   "%s: its audio track %u is damaged", input->path, index + 1);
    if (plan->track_paths[place]) {
        return compare(plan, input, index, place);
    }
    plan->movie.audio[place] = *audio;
    plan->track_paths[place] = input->path;
    audio->description = (struct weir_description){.bytes = NULL};
    return true;
}

static bool add_all(struct join_plan *plan, struct join_input *input)
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < input->found.movie.num_audio; i++) {
        const uint32_t place = join_track_place(plan, input, i);
        JOIN_REFUSE_IF((places & 1u << place) != 0, plan,
                       "%s: two of its tracks have the same number", input->path);
        if (!add(plan, input, i, place)) {
            return false;
        }
        places |= 1u << place;
    }
    return true;
}

// Find the audio tracks of the whole, whose descriptions it takes over, and compare those that
// several movies have.
static bool find_tracks(struct join_plan *plan)
{
    struct weir_movie *movie = &plan->movie;
    movie->num_audio = WEIR_MOVIE_MAX_AUDIO; // those at their places, until all are known
    for (size_t i = 0; i < plan->num_inputs; i++) {
        if (!add_all(plan, &plan->inputs[i])) {
            return false;
        }
    }
    uint32_t num = 0;
    for (uint32_t i = 0; i < WEIR_MOVIE_MAX_AUDIO; i++) {
        plan->track_numbers[i] = num;
        if (plan->track_paths[i]) {
            movie->audio[num++] = movie->audio[i];
        }
    }
    movie->num_audio = num;
    return true;
}

bool join_inputs_match(struct join_plan *plan)
{
    return order(plan) && check_alike(plan) && find_tracks(plan);
}
