// SPDX-License-Identifier: MIT
// Parts of a movie that weir transcode made: their frames one after the other, and the audio of the
// first between them, laid out as if one process had written all.
#include "capture/base/size.h"
#include "capture/weir/join/plan.h"

// What the first part says of all: 16 bits at this place.
enum { NUM_PARTS = 8, ENDS_WITH_PICTURES = 10 };

static uint32_t get(const struct join_plan *plan, unsigned place)
{
    const uint8_t *id = plan->inputs[0].found.movie.segment.recording;
    return (uint32_t)id[place] << 8 | id[place + 1];
}

bool join_parts_check(struct join_plan *plan)
{
    const uint32_t num = get(plan, NUM_PARTS);
    for (uint32_t i = 0; i < num; i++) {
        JOIN_REFUSE_IF(i >= plan->num_inputs || plan->inputs[i].found.movie.segment.number > i + 1,
                       plan, "part %u of %u is missing beside %s", i + 1, num,
                       plan->inputs[0].path);
    }
    return true;
}

// Get how many samples of a track come before the next frame, or at the end.
static uint64_t limit_of(const struct join_plan *plan, uint32_t sample_rate, bool is_end)
{
    const struct weir_movie_pictures *pictures = &plan->movie.pictures;
    const uint32_t ticks_per_second = pictures->ticks_per_second;
    return !is_end ? weir_movie_audio_due(pictures->last_time, ticks_per_second, sample_rate)
           : get(plan, ENDS_WITH_PICTURES)
               ? weir_divide_up(weir_movie_end(&plan->movie) * sample_rate, ticks_per_second)
               : WEIR_AUDIO_MAX_SAMPLES;
}

bool join_parts_add_audio(struct join_plan *plan, bool is_end)
{
    const struct join_input *first = &plan->inputs[0];
    for (uint32_t i = 0; i < plan->movie.num_audio; i++) {
        const struct weir_movie_audio *audio = &plan->movie.audio[i];
        const uint64_t limit = limit_of(plan, audio->sample_rate, is_end);
        const struct weir_piece **next = &plan->next_audio[i];
        while (*next && audio->num_samples < limit) {
            struct weir_piece piece = **next;
            const uint64_t room = (limit - audio->num_samples) * audio->sample_size;
            const uint32_t chunk = WEIR_AUDIO_CHUNK(audio->sample_rate) * audio->sample_size;
            if (!is_end && (piece.size > room || piece.size < chunk)) {
                break; // a short one is the last of its track, and of the file
            }
            piece.size = (uint32_t)weir_min(piece.size, room);
            if (!join_add_piece(plan, first, piece)) {
                return false;
            }
            *next = weir_piece_next(&first->found.movie, *next);
        }
    }
    return true;
}

bool join_part_add(struct join_plan *plan, const struct join_input *input)
{
    const struct weir_movie *movie = &input->found.movie;
    for (uint32_t i = 0; input == plan->inputs && i < movie->num_audio; i++) {
        plan->next_audio[i] = weir_piece_first(movie, i + 1);
    }
    bool is_added = true;
    for (uint32_t i = 0; is_added && i < movie->num_pieces; i++) {
        struct weir_piece piece = movie->pieces[i];
        if (piece.track == 0) {
            piece.time += input->start_ticks;
            is_added = join_parts_add_audio(plan, false) && join_add_piece(plan, input, piece);
        }
    }
    return is_added;
}
