// SPDX-License-Identifier: MIT
// The sound of a movie that is made: from that of the input into the capture, beside the frames.
#include "capture/weir/movie/sound.h"

#include "capture/weir/common/report.h"

#define NS_PER_SECOND 1000000000
#define ROUNDING_NS 16 // times of samples are rounded down, once a block and once a part of it
#define LATEST_NS (10 * (int64_t)NS_PER_SECOND)

enum weir_result cli_sound_open(struct cli_sound *sound, const char *path,
                                const weir_source *source, int (*interrupted)(void *user))
{
    const struct weir_source_info info = weir_source_get_info(source);
    *sound = (struct cli_sound){.source = NULL};
    if (info.num_audio == 0) {
        return WEIR_OK;
    }
    const struct weir_sound_source_params params = {
        .path = path,
        .demux = weir_source_get_demux(source),
        .zero_ns = info.start_ns,
        .interrupted = interrupted,
        .log = cli_log,
    };
    const enum weir_result result = weir_sound_source_open(&params, &sound->source);
    if (sound->source) {
        sound->num_tracks = weir_sound_source_get_tracks(sound->source, sound->tracks);
    }
    return result;
}

void cli_sound_close(struct cli_sound *sound)
{
    weir_sound_source_close(&sound->source);
}

// Get how many samples of the block begin before a time.
static uint32_t num_before(const struct cli_sound *sound, int64_t until_ns)
{
    const struct weir_sound_block *block = &sound->block;
    const int64_t rate = sound->tracks[block->track].sample_rate;
    const int64_t left_ns = until_ns - block->time_ns;
    if (left_ns <= 0) {
        return 0;
    }
    const int64_t num = left_ns / NS_PER_SECOND * rate +
                        (left_ns % NS_PER_SECOND * rate + NS_PER_SECOND - 1) / NS_PER_SECOND;
    return num < block->num_samples ? (uint32_t)num : block->num_samples;
}

// Hand over the first samples of the block; the others stay.
static enum weir_result send_part(struct cli_sound *sound, weir_capture *capture, uint32_t num)
{
    struct weir_sound_block *block = &sound->block;
    const int64_t rate = sound->tracks[block->track].sample_rate;
    const enum weir_result result = num > 0
                                        ? weir_capture_audio(capture, block->track, block->samples,
                                                             num, block->time_ns)
                                        : WEIR_OK;
    block->samples += (size_t)num * block->sample_size;
    block->num_samples -= num;
    block->time_ns += num * (int64_t)NS_PER_SECOND / rate;
    sound->is_pending = block->num_samples > 0;
    return result;
}

static enum weir_result read_next(struct cli_sound *sound)
{
    const enum weir_result result = weir_sound_source_read(sound->source, &sound->block,
                                                           &sound->has_ended);
    sound->is_pending = result == WEIR_OK && !sound->has_ended;
    return result;
}

static bool are_over(const struct cli_sound *sound)
{
    bool are = true;
    for (uint32_t i = 0; i < sound->num_tracks; i++) {
        are = are && sound->is_over[i];
    }
    return are;
}

enum weir_result cli_sound_send(struct cli_sound *sound, weir_capture *capture, int64_t until_ns,
                                bool is_end)
{
    enum weir_result result = WEIR_OK;
    until_ns -= ROUNDING_NS;
    if (sound->source && is_end) {
        weir_sound_source_end_frames(sound->source, until_ns + LATEST_NS);
    }
    while (sound->source && result >= WEIR_OK && !sound->has_ended) {
        result = sound->is_pending ? send_part(sound, capture, num_before(sound, until_ns))
                                   : read_next(sound);
        if (result == WEIR_NOT_READY) {
            return WEIR_OK; // it is handed over after a later frame
        }
        if (sound->is_pending && sound->block.time_ns >= until_ns) {
            if (!is_end) {
                return result;
            }
            // Of other tracks there may be earlier samples, but not much later in the file.
            sound->is_over[sound->block.track] = true;
            sound->has_ended = sound->block.time_ns - until_ns > LATEST_NS || are_over(sound);
            sound->is_pending = false;
        }
    }
    return result;
}
