// SPDX-License-Identifier: MIT
// Whether a reply of the process that decodes is one that a decoder gives.
#include "capture/weir/decoder/client.h"

#include <limits.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/files/source/scale.h"
#include "capture/movie/movie.h"

// To read a bool is defined for two values of its byte.
static bool is_bool(const bool *value)
{
    unsigned char byte;
    memcpy(&byte, value, 1);
    return byte <= 1;
}

static void end_text(char *text, size_t size)
{
    text[size - 1] = 0;
}

static bool is_size(uint32_t width, uint32_t height)
{
    return width > 0 && height > 0 && width <= INT_MAX && height <= INT_MAX;
}

// True if texels take no more than was allowed to be made of them.
static bool fits(const struct weir_memory_use *use, uint32_t width, uint32_t height,
                 uint32_t value_size)
{
    const uint64_t size = use->texel_size + 4 * (uint64_t)use->num_copies * value_size +
                          (value_size > 1 ? use->deep_texel_size : 0);
    return use->limit == 0 || size <= use->limit / width / height;
}

bool reply_is_result(const struct channel_message *reply)
{
    const int most = reply->type == CHANNEL_AUDIO_READ ? WEIR_NOT_READY : WEIR_OK;
    return reply->size <= CHANNEL_MAX_BYTES && reply->result <= most &&
           reply->result >= WEIR_ERROR_DATA;
}

bool reply_is_source(struct channel_message *reply, const struct weir_source_params *params)
{
    struct weir_source_info *info = &reply->source.info;
    end_text(reply->source.name, sizeof(reply->source.name));
    end_text(info->coding, sizeof(info->coding));
    end_text(info->timecode, sizeof(info->timecode));
    end_text(info->title, sizeof(info->title));
    end_text(info->comment, sizeof(info->comment));
    end_text(info->not_kept, sizeof(info->not_kept));
    const bool is_given = params->width != 0;
    const uint32_t limit = is_given ? WEIR_SHAPE_MAX_SIDE : INT_MAX;
    return is_bool(&info->is_deep) && is_bool(&info->is_read_once) &&
           is_size(info->native_width, info->native_height) && is_size(info->width, info->height) &&
           info->width <= limit && info->height <= limit &&
           (!is_given || (info->width == params->width && info->height == params->height)) &&
           is_size(info->pixel_aspect_num, info->pixel_aspect_den) &&
           is_size(info->rate_num, info->rate_den) &&
           info->rate_num <= info->rate_den * UINT64_C(1000000000) && info->before_ns >= 0 &&
           info->end_ns >= 0 &&
           fits(&params->memory, info->width, info->height, info->is_deep ? 2 : 1) &&
           info->num_chapters == reply->size / sizeof(*info->chapters) &&
           reply->size % sizeof(*info->chapters) == 0;
}

bool reply_is_chapters(struct weir_source_chapter *chapters, size_t num)
{
    bool are = true;
    for (size_t i = 0; i < num; i++) {
        end_text(chapters[i].title, sizeof(chapters[i].title));
        are = are && chapters[i].time_ns >= 0;
    }
    return are;
}

bool reply_is_take(const struct channel_take *take, int64_t last_ns)
{
    return take->is_end <= 1 && (take->is_end == 1 || take->time_ns >= last_ns);
}

bool reply_is_audio(struct channel_audio *audio)
{
    bool is = audio->num_tracks <= WEIR_MAX_AUDIO_TRACKS;
    for (uint32_t i = 0; is && i < audio->num_tracks; i++) {
        const struct weir_audio_track *track = &audio->tracks[i];
        end_text(audio->tracks[i].language, sizeof(track->language));
        is = track->sample_rate >= 1000 && track->sample_rate <= 768000 &&
             track->num_channels >= 1 && track->num_channels <= 16 &&
             weir_layout_fits(track->layout, track->num_channels) &&
             weir_audio_sample_size(track->format, track->num_channels) > 0;
    }
    return is;
}

bool reply_is_block(const struct channel_message *reply, const struct channel_audio *audio)
{
    const struct weir_audio_block *block = &reply->block.audio;
    if (reply->block.is_end != 0 || reply->result != WEIR_OK) {
        return reply->block.is_end <= 1 && reply->size == 0;
    }
    const struct weir_audio_track *track = &audio->tracks[block->track % WEIR_MAX_AUDIO_TRACKS];
    return block->track < audio->num_tracks && block->num_samples > 0 &&
           block->sample_size == weir_audio_sample_size(track->format, track->num_channels) &&
           (uint64_t)block->num_samples * block->sample_size == reply->size &&
           block->time_ns >= -(INT64_MAX / 4) && block->time_ns <= INT64_MAX / 4;
}

bool reply_is_picture(struct channel_message *reply, const struct weir_memory_use *memory)
{
    struct weir_picture *picture = &reply->picture;
    end_text(picture->pixels, sizeof(picture->pixels));
    return is_size(picture->width, picture->height) &&
           (picture->type == WEIR_PICTURE_8 || picture->type == WEIR_PICTURE_16 ||
            picture->type == WEIR_PICTURE_FLOAT) &&
           is_bool(&picture->has_alpha) && is_bool(&picture->is_premultiplied) &&
           is_bool(&picture->is_linear) && is_bool(&picture->lacks_z) &&
           fits(memory, picture->width, picture->height, picture->type) &&
           picture->pitch ==
               weir_round_up(UINT64_C(4) * picture->type * picture->width, WEIR_SOURCE_ALIGNMENT);
}
