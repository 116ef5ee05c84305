// SPDX-License-Identifier: MIT
// Audio from PipeWire: what the program plays, or the desktop, into a ring.
#include "capture/weir/record/audio/audio.h"

#include <errno.h>
#include <stdlib.h>

#include <spa/param/audio/format-utils.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/audio/links.h"

struct record_audio {
    struct cli_pipewire pipewire;
    enum record_audio_kind kind;
    int64_t program; // its process, where that is no child of this one
    struct spa_hook core_listener;
    struct pw_stream *stream;
    struct spa_hook stream_listener;
    struct record_links *links; // of the program
    struct record_ring *ring;
    int64_t last_ns;     // when the last samples came
    atomic_bool is_lost; // PipeWire has ended, or gives no more audio
};

bool record_audio_is_built(void)
{
    return true;
}

static void lose(struct record_audio *audio, const char *why)
{
    if (!atomic_exchange(&audio->is_lost, true)) {
        cli_report_warning("from now on the movies are silent: PipeWire says \"%s\"", why);
    }
}

static void take_core_error(void *data, uint32_t id, int sequence, int result, const char *message)
{
    (void)sequence;
    // Others are of a link whose port has gone in the meantime.
    if (id == PW_ID_CORE && result == -EPIPE) {
        lose(data, message);
    }
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .error = take_core_error};

static void take_state(void *data, enum pw_stream_state before, enum pw_stream_state now,
                       const char *error)
{
    struct record_audio *audio = data;
    (void)before;
    if (now == PW_STREAM_STATE_ERROR) {
        lose(audio, error ? error : "error");
    } else if (audio->links) {
        record_links_update(audio->links);
    }
}

// On a thread of PipeWire's that may not wait. Time is that of the cycle in which the samples were
// given out: the program presents by the same clock. Where the stream begins, a cycle may have a
// second buffer, which is of none.
static void take_buffers(void *data)
{
    struct record_audio *audio = data;
    const struct cli_pipewire *pipewire = &audio->pipewire;
    struct pw_time time = {.now = 0};
    struct pw_buffer *buffer;
    pipewire->stream_get_time_n(audio->stream, &time, sizeof(time));
    while ((buffer = pipewire->stream_dequeue_buffer(audio->stream))) {
        const struct spa_data *bytes = &buffer->buffer->datas[0];
        if (bytes->data && time.now > audio->last_ns) {
            const uint32_t offset = weir_min(bytes->chunk->offset, bytes->maxsize);
            const uint32_t size = weir_min(bytes->chunk->size, bytes->maxsize - offset);
            record_ring_add(audio->ring, (const uint8_t *)bytes->data + offset,
                            size / (uint32_t)sizeof(uint32_t),
                            time.now - record_ring_duration(time.buffered));
            audio->last_ns = time.now;
        }
        pipewire->stream_queue_buffer(audio->stream, buffer);
    }
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS, .state_changed = take_state, .process = take_buffers};

// The session manager links the desktop's monitor, and follows where the user sends it; the
// program's nodes are linked here. Without a session manager ports come by the last property.
static struct pw_stream *make_stream(const struct record_audio *audio)
{
    static const char *const kinds[] = {
        [RECORD_AUDIO_PROGRAM] = "node.autoconnect = false",
        [RECORD_AUDIO_DESKTOP] = "stream.capture.sink = true",
    };
    char text[512];
    snprintf(text, sizeof(text),
             "{ media.type = Audio media.category = Capture media.role = Production "
             "node.name = weir-record node.description = \"weir record\" %s "
             "adapter.auto-port-config = \"{ mode = dsp position = preserve }\" }",
             kinds[audio->kind]);
    struct pw_properties *props = audio->pipewire.properties_new_string(text);
    return props ? audio->pipewire.stream_new(audio->pipewire.core, "weir record", props) : NULL;
}

static bool connect_stream(struct record_audio *audio)
{
    uint8_t bytes[1024];
    struct spa_pod_builder builder;
    spa_pod_builder_init(&builder, bytes, sizeof(bytes));
    struct spa_audio_info_raw format = {.format = SPA_AUDIO_FORMAT_S16_LE,
                                        .rate = RECORD_RING_RATE,
                                        .channels = 2,
                                        .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR}};
    const struct spa_pod *params[] = {
        spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
    const bool is_linked = audio->kind == RECORD_AUDIO_DESKTOP;
    const int flags = PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS |
                      (is_linked ? PW_STREAM_FLAG_AUTOCONNECT : 0);
    audio->stream = make_stream(audio);
    if (!audio->stream) {
        return false;
    }
    audio->pipewire.stream_add_listener(audio->stream, &audio->stream_listener, &stream_events,
                                        audio);
    if (audio->pipewire.stream_connect(audio->stream, PW_DIRECTION_INPUT, PW_ID_ANY,
                                       (enum pw_stream_flags)flags, params, 1) < 0) {
        return false;
    }
    if (!is_linked) {
        audio->links = record_links_create(&audio->pipewire, audio->stream, audio->program);
    }
    return is_linked || audio->links;
}

// Returns why there is no audio; NULL: there is.
static const char *begin(struct record_audio *audio)
{
    struct cli_pipewire *pipewire = &audio->pipewire;
    audio->ring = calloc(1, sizeof(*audio->ring));
    const char *why = audio->ring ? cli_pipewire_connect(pipewire) : "no memory is left";
    if (why) {
        return why;
    }
    pw_core_add_listener(pipewire->core, &audio->core_listener, &core_events, audio);
    if (!connect_stream(audio) || pipewire->thread_loop_start(pipewire->loop) < 0) {
        return "PipeWire accepts no stream";
    }
    return NULL;
}

static void end(struct record_audio *audio)
{
    struct cli_pipewire *pipewire = &audio->pipewire;
    cli_pipewire_stop(pipewire);
    struct record_links *links = audio->links;
    audio->links = NULL; // the stream reports its end
    if (audio->stream) {
        pipewire->stream_destroy(audio->stream);
    }
    record_links_destroy(links);
    if (audio->core_listener.link.next) {
        spa_hook_remove(&audio->core_listener);
    }
    cli_pipewire_disconnect(pipewire);
    free(audio->ring);
    free(audio);
}

struct record_audio *record_audio_start(enum record_audio_kind kind, int64_t program, bool quiet)
{
    struct record_audio *audio = kind == RECORD_AUDIO_NONE ? NULL : calloc(1, sizeof(*audio));
    if (!audio) {
        return NULL;
    }
    audio->kind = kind;
    audio->program = program;
    const char *why = begin(audio);
    if (why) {
        cli_report_note(quiet, "the movies have no audio: %s", why);
        end(audio);
        return NULL;
    }
    return audio;
}

void record_audio_stop(struct record_audio *audio, bool quiet)
{
    if (!audio) {
        return;
    }
    if (!atomic_load(&audio->is_lost) && atomic_load(&audio->ring->num_blocks) == 0) {
        cli_report_note(quiet, "%s played nothing: the movies are silent",
                        audio->kind == RECORD_AUDIO_PROGRAM ? "the program" : "the desktop");
    }
    end(audio);
}

const struct record_ring *record_audio_ring(const struct record_audio *audio)
{
    return audio ? audio->ring : NULL;
}
