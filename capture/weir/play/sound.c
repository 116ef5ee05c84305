// SPDX-License-Identifier: MIT
// The sound of weir play, by PipeWire: samples are read when it asks for them, and its clock is
// that of the movie.
#include "capture/weir/play/show.h"

#include <stdlib.h>

#include <spa/param/audio/format-utils.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/weir/common/pipewire.h"
#include "capture/weir/common/report.h"

#define SECOND 1000000000u

// All but `pipewire` is read and written with its loop locked.
struct show_sound {
    struct cli_pipewire pipewire;
    struct pw_stream *stream;
    struct spa_hook listener;
    weir_play *play;
    struct weir_play_audio audio;
    uint64_t position; // of the next sample
    bool plays;
    // When samples were handed over last: at `asked_ns` the sample of `heard_ns` was heard. 0:
    // never.
    int64_t asked_ns, heard_ns;
};

static int64_t time_of(const struct show_sound *sound, uint64_t position)
{
    return (int64_t)weir_scale(position, SECOND, sound->audio.sample_rate);
}

// How long the first of the samples that are handed over now waits until it is heard.
static int64_t delay_of(const struct show_sound *sound, const struct pw_time *time)
{
    const double ticks = time->rate.denom > 0 ? (double)time->rate.num / time->rate.denom : 0;
    return (int64_t)((double)time->delay * ticks * SECOND) +
           time_of(sound,
                   time->buffered + time->queued / sizeof(float) / sound->audio.num_channels);
}

static void fill(void *user)
{
    struct show_sound *sound = user;
    const struct cli_pipewire *pipewire = &sound->pipewire;
    struct pw_time time = {.now = 0};
    struct pw_buffer *buffer = pipewire->stream_dequeue_buffer(sound->stream);
    if (!buffer) {
        return;
    }
    struct spa_data *data = &buffer->buffer->datas[0];
    const uint32_t stride = sound->audio.num_channels * (uint32_t)sizeof(float);
    uint32_t num = data->data ? data->maxsize / stride : 0;
    num = buffer->requested > 0 ? (uint32_t)weir_min(num, buffer->requested) : num;
    pipewire->stream_get_time_n(sound->stream, &time, sizeof(time));
    if (!sound->plays ||
        weir_play_read_audio(sound->play, 0, sound->position, num, data->data) != WEIR_OK) {
        for (uint32_t i = 0; i < num * sound->audio.num_channels; i++) {
            ((float *)data->data)[i] = 0;
        }
    }
    if (sound->plays) {
        sound->heard_ns = time_of(sound, sound->position) - delay_of(sound, &time);
        sound->asked_ns = (int64_t)weir_clock_ns();
        sound->position += num;
    }
    if (data->chunk) {
        *data->chunk = (struct spa_chunk){.size = num * stride, .stride = (int32_t)stride};
    }
    pipewire->stream_queue_buffer(sound->stream, buffer);
}

static const struct pw_stream_events events = {PW_VERSION_STREAM_EVENTS, .process = fill};

static bool connect_stream(struct show_sound *sound)
{
    struct cli_pipewire *pipewire = &sound->pipewire;
    uint8_t bytes[1024];
    struct spa_pod_builder builder;
    spa_pod_builder_init(&builder, bytes, sizeof(bytes));
    struct spa_audio_info_raw format = {.format = SPA_AUDIO_FORMAT_F32,
                                        .rate = sound->audio.sample_rate,
                                        .channels = sound->audio.num_channels};
    if (format.channels == 2) {
        format.position[0] = SPA_AUDIO_CHANNEL_FL;
        format.position[1] = SPA_AUDIO_CHANNEL_FR;
    } else {
        format.flags = SPA_AUDIO_FLAG_UNPOSITIONED;
    }
    const struct spa_pod *params[] = {
        spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
    struct pw_properties *props = pipewire->properties_new_string(
        "{ media.type = Audio media.category = Playback media.role = Movie "
        "node.name = weir-play node.description = \"weir play\" "
        "adapter.auto-port-config = \"{ mode = dsp position = preserve }\" }");
    sound->stream = props ? pipewire->stream_new(pipewire->core, "weir play", props) : NULL;
    if (!sound->stream) {
        return false;
    }
    pipewire->stream_add_listener(sound->stream, &sound->listener, &events, sound);
    return pipewire->stream_connect(sound->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                                    PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS, params,
                                    1) >= 0 &&
           pipewire->thread_loop_start(pipewire->loop) >= 0;
}

struct show_sound *show_sound_open(weir_play *play, bool quiet)
{
    const struct weir_play_info info = weir_play_get_info(play);
    struct show_sound *sound = info.num_audio > 0 ? calloc(1, sizeof(*sound)) : NULL;
    if (!sound) {
        return NULL;
    }
    sound->play = play;
    sound->audio = info.audio[0];
    const char *why = sound->audio.num_channels > SPA_AUDIO_MAX_CHANNELS
                          ? "it has too many channels"
                          : cli_pipewire_connect(&sound->pipewire);
    if (!why && !connect_stream(sound)) {
        why = "PipeWire accepts no stream";
    }
    if (why) {
        cli_report_note(quiet, "the movie is silent: %s", why);
        show_sound_close(sound);
        return NULL;
    }
    return sound;
}

void show_sound_close(struct show_sound *sound)
{
    if (!sound) {
        return;
    }
    cli_pipewire_stop(&sound->pipewire);
    if (sound->stream) {
        sound->pipewire.stream_destroy(sound->stream);
    }
    cli_pipewire_disconnect(&sound->pipewire);
    free(sound);
}

void show_sound_set(struct show_sound *sound, int64_t time_ns, bool plays)
{
    if (!sound) {
        return;
    }
    sound->pipewire.thread_loop_lock(sound->pipewire.loop);
    sound->position = weir_scale((uint64_t)time_ns, sound->audio.sample_rate, SECOND);
    sound->plays = plays;
    sound->asked_ns = 0;
    sound->pipewire.thread_loop_unlock(sound->pipewire.loop);
}

// Where PipeWire has asked for nothing for a while, nothing is heard.
bool show_sound_get_time(struct show_sound *sound, int64_t *time_ns)
{
    const int64_t lately_ns = SECOND / 4;
    if (!sound) {
        return false;
    }
    sound->pipewire.thread_loop_lock(sound->pipewire.loop);
    const int64_t since_ns = (int64_t)weir_clock_ns() - sound->asked_ns;
    const bool is_heard = sound->plays && sound->asked_ns > 0 && since_ns < lately_ns;
    const int64_t heard_ns = sound->heard_ns + since_ns;
    sound->pipewire.thread_loop_unlock(sound->pipewire.loop);
    *time_ns = heard_ns > 0 ? heard_ns : 0;
    return is_heard;
}
