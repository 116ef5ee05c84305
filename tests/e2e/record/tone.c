// SPDX-License-Identifier: MIT
// e2e_tone NAME SECONDS CHANNELS [PROCESS]: plays to PipeWire until it is told to end: silence for
// so long, then 440 Hz on the left and 660 Hz on the right, at half of full scale; with one channel
// the first. It prints when the tone begins, by CLOCK_MONOTONIC [ns]. With PROCESS its node says
// that it is of that process, as those of programs with PulseAudio's interface do.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>

enum { RATE = 48000 };

struct tone {
    struct pw_stream *stream;
    struct pw_main_loop *loop;
    uint32_t num_channels;
    uint64_t position, onset; // [samples]
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static float value(const struct tone *tone, uint32_t channel)
{
    const double hertz = channel == 0 ? 440 : 660;
    return tone->position < tone->onset
               ? 0
               : (float)(0.5 * cos(2 * 3.14159265358979 * hertz *
                                   (double)(tone->position - tone->onset) / RATE));
}

static void play(void *data)
{
    struct tone *tone = data;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(tone->stream);
    if (!buffer) {
        return;
    }
    struct spa_data *bytes = &buffer->buffer->datas[0];
    const uint32_t stride = tone->num_channels * (uint32_t)sizeof(float);
    uint32_t num = bytes->maxsize / stride;
    num = buffer->requested > 0 && buffer->requested < num ? (uint32_t)buffer->requested : num;
    float *values = bytes->data;
    if (tone->position <= tone->onset && tone->onset - tone->position < num) {
        printf("%lld\n",
               (long long)(now_ns() + (int64_t)(tone->onset - tone->position) * 1000000000 / RATE));
        fflush(stdout);
    }
    for (uint32_t i = 0; i < num; i++, tone->position++) {
        for (uint32_t c = 0; c < tone->num_channels; c++) {
            *values++ = value(tone, c);
        }
    }
    *bytes->chunk = (struct spa_chunk){.size = num * stride, .stride = (int32_t)stride};
    pw_stream_queue_buffer(tone->stream, buffer);
}

static void quit(void *data, int signal)
{
    struct tone *tone = data;
    (void)signal;
    pw_main_loop_quit(tone->loop);
}

static const struct pw_stream_events events = {PW_VERSION_STREAM_EVENTS, .process = play};

static bool begin(struct tone *tone, const char *name, const char *process)
{
    struct pw_properties *props = pw_properties_new(
        PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback", PW_KEY_NODE_NAME, name,
        PW_KEY_CONFIG_NAME, "client-rt.conf", "adapter.auto-port-config",
        "{ mode = dsp position = preserve }", NULL);
    if (process) {
        pw_properties_set(props, PW_KEY_APP_PROCESS_ID, process);
    }
    uint8_t bytes[1024];
    struct spa_pod_builder builder;
    spa_pod_builder_init(&builder, bytes, sizeof(bytes));
    struct spa_audio_info_raw format = {
        .format = SPA_AUDIO_FORMAT_F32_LE, .rate = RATE, .channels = tone->num_channels};
    format.position[0] = tone->num_channels == 1 ? SPA_AUDIO_CHANNEL_MONO : SPA_AUDIO_CHANNEL_FL;
    format.position[1] = SPA_AUDIO_CHANNEL_FR;
    const struct spa_pod *params[] = {
        spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
    tone->stream = pw_stream_new_simple(pw_main_loop_get_loop(tone->loop), name, props, &events,
                                        tone);
    return tone->stream && pw_stream_connect(tone->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                                             PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS,
                                             params, 1) >= 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "Usage: e2e_tone NAME SECONDS CHANNELS [PROCESS]\n");
        return 2;
    }
    pw_init(&argc, &argv);
    struct tone tone = {.loop = pw_main_loop_new(NULL)};
    tone.onset = (uint64_t)(atof(argv[2]) * RATE);
    tone.num_channels = (uint32_t)atoi(argv[3]);
    pw_loop_add_signal(pw_main_loop_get_loop(tone.loop), SIGTERM, quit, &tone);
    const bool ok = begin(&tone, argv[1], argc > 4 ? argv[4] : NULL);
    if (ok) {
        pw_main_loop_run(tone.loop);
    }
    pw_stream_destroy(tone.stream);
    pw_main_loop_destroy(tone.loop);
    return ok ? 0 : 1;
}
