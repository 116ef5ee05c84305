// SPDX-License-Identifier: MIT
// The audio tracks of a movie that is joined: those of its parts, which are to be alike.
#include <stdio.h>
#include <string.h>

#include "capture/weir/join/plan.h"

// The number that the first audio track has in a file of Weir's.
#define FIRST_AUDIO 2u

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
        if (numbers[i].of_first != numbers[i].of_other) {
            return join_refuse(plan, "%s: sound track %u has %u %s, and that of %s has %u",
                               input->path, index + 1, numbers[i].of_other, numbers[i].name, path,
                               numbers[i].of_first);
        }
    }
    if (a->language != b->language) {
        char first[32], other[32];
        return join_refuse(plan, "%s: sound track %u has the language %s, and that of %s %s",
                           input->path, index + 1, name_language(b, other), path,
                           name_language(a, first));
    }
    if (!have_same_description(a, b)) {
        return join_refuse(plan, "%s: sound track %u has another format than that of %s",
                           input->path, index + 1, path);
    }
    return true;
}

static bool add(struct join_plan *plan, struct join_input *input, uint32_t index, uint32_t place)
{
    struct weir_movie_audio *audio = &input->found.movie.audio[index];
    if (!audio->description.bytes || place == WEIR_MOVIE_MAX_AUDIO) {
        return join_refuse(plan, "%s: its sound track %u is damaged", input->path, index + 1);
    }
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
        if ((places & 1u << place) != 0) {
            return join_refuse(plan, "%s: two of its tracks have the same number", input->path);
        }
        if (!add(plan, input, i, place)) {
            return false;
        }
        places |= 1u << place;
    }
    return true;
}

bool join_find_tracks(struct join_plan *plan)
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
