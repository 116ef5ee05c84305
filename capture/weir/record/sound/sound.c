// SPDX-License-Identifier: MIT
// Sound from PipeWire: what the program plays, or the desktop, into a ring.
#include "capture/weir/record/sound/sound.h"

#include <errno.h>
#include <stdlib.h>

#include <spa/param/audio/format-utils.h>

#include "capture/weir/common/report.h"
#include "capture/weir/record/sound/library.h"
#include "capture/weir/record/sound/links.h"

struct record_sound {
    struct record_pipewire pipewire;
    enum record_sound_kind kind;
    int64_t program; // its process, where that is no child of this one
    struct pw_thread_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct spa_hook core_listener;
    struct pw_stream *stream;
    struct spa_hook stream_listener;
    struct record_links *links; // of the program
    struct record_ring *ring;
    int64_t last_ns;     // when the last samples came
    atomic_bool is_lost; // PipeWire has ended, or gives no more sound
};

bool record_sound_is_built(void)
{
    return true;
}

static void lose(struct record_sound *sound, const char *why)
{
    if (!atomic_exchange(&sound->is_lost, true)) {
        cli_report_warning("from now on there is silence in the movies: PipeWire says \"%s\"", why);
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
    struct record_sound *sound = data;
    (void)before;
    if (now == PW_STREAM_STATE_ERROR) {
        lose(sound, error ? error : "error");
    } else if (sound->links) {
        record_links_update(sound->links);
    }
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// On a thread of PipeWire's that may not wait. Time is that of the cycle in which the samples were
// given out: the program presents by the same clock. Where the stream begins, a cycle may have a
// second buffer, which is of none.
static void take_buffers(void *data)
{
    struct record_sound *sound = data;
    const struct record_pipewire *pipewire = &sound->pipewire;
    struct pw_time time = {.now = 0};
    struct pw_buffer *buffer;
    pipewire->stream_get_time_n(sound->stream, &time, sizeof(time));
    while ((buffer = pipewire->stream_dequeue_buffer(sound->stream))) {
        const struct spa_data *bytes = &buffer->buffer->datas[0];
        if (bytes->data && time.now > sound->last_ns) {
            const uint32_t offset = lesser(bytes->chunk->offset, bytes->maxsize);
            const uint32_t size = lesser(bytes->chunk->size, bytes->maxsize - offset);
            record_ring_add(sound->ring, (const uint8_t *)bytes->data + offset,
                            size / (uint32_t)sizeof(uint32_t),
                            time.now - record_ring_duration(time.buffered));
            sound->last_ns = time.now;
        }
        pipewire->stream_queue_buffer(sound->stream, buffer);
    }
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS, .state_changed = take_state, .process = take_buffers};

// The session manager links the desktop's monitor, and follows where the user sends it; the
// program's nodes are linked here. Without a session manager ports come by the last property.
static struct pw_stream *make_stream(const struct record_sound *sound)
{
    static const char *const kinds[] = {
        [RECORD_SOUND_PROGRAM] = "node.autoconnect = false",
        [RECORD_SOUND_DESKTOP] = "stream.capture.sink = true",
    };
    char text[512];
    snprintf(text, sizeof(text),
             "{ media.type = Audio media.category = Capture media.role = Production "
             "node.name = weir-record node.description = \"weir record\" %s "
             "adapter.auto-port-config = \"{ mode = dsp position = preserve }\" }",
             kinds[sound->kind]);
    struct pw_properties *props = sound->pipewire.properties_new_string(text);
    return props ? sound->pipewire.stream_new(sound->core, "weir record", props) : NULL;
}

static bool connect_stream(struct record_sound *sound)
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
    const bool is_linked = sound->kind == RECORD_SOUND_DESKTOP;
    const int flags = PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS |
                      (is_linked ? PW_STREAM_FLAG_AUTOCONNECT : 0);
    sound->stream = make_stream(sound);
    if (!sound->stream) {
        return false;
    }
    sound->pipewire.stream_add_listener(sound->stream, &sound->stream_listener, &stream_events,
                                        sound);
    if (sound->pipewire.stream_connect(sound->stream, PW_DIRECTION_INPUT, PW_ID_ANY,
                                       (enum pw_stream_flags)flags, params, 1) < 0) {
        return false;
    }
    if (!is_linked) {
        sound->links = record_links_create(&sound->pipewire, sound->core, sound->stream,
                                           sound->program);
    }
    return is_linked || sound->links;
}

// The first configuration has a thread of high priority; later releases have that in the other.
static struct pw_context *make_context(const struct record_sound *sound)
{
    static const char *const names[] = {"config.name = client-rt.conf", ""};
    struct pw_context *context = NULL;
    for (size_t i = 0; !context && i < sizeof(names) / sizeof(names[0]); i++) {
        context = sound->pipewire.context_new(sound->pipewire.thread_loop_get_loop(sound->loop),
                                              sound->pipewire.properties_new_string(names[i]), 0);
    }
    return context;
}

// Returns why there is no sound; NULL: there is.
static const char *begin(struct record_sound *sound)
{
    const struct record_pipewire *pipewire = &sound->pipewire;
    if (!getenv("PIPEWIRE_DEBUG")) {
        pipewire->log_set_level(SPA_LOG_LEVEL_NONE); // what matters is told here
    }
    sound->ring = calloc(1, sizeof(*sound->ring));
    sound->loop = pipewire->thread_loop_new("weir-pipewire", NULL);
    sound->context = sound->ring && sound->loop ? make_context(sound) : NULL;
    if (!sound->context) {
        return "PipeWire's library cannot be used";
    }
    sound->core = pipewire->context_connect(sound->context, NULL, 0);
    if (!sound->core) {
        return "PipeWire does not run";
    }
    pw_core_add_listener(sound->core, &sound->core_listener, &core_events, sound);
    if (!connect_stream(sound) || pipewire->thread_loop_start(sound->loop) < 0) {
        return "PipeWire takes no stream";
    }
    return NULL;
}

static void end(struct record_sound *sound)
{
    const struct record_pipewire *pipewire = &sound->pipewire;
    if (sound->loop) {
        pipewire->thread_loop_stop(sound->loop);
    }
    struct record_links *links = sound->links;
    sound->links = NULL; // the stream tells of its end
    if (sound->stream) {
        pipewire->stream_destroy(sound->stream);
    }
    record_links_destroy(links);
    if (sound->core) {
        spa_hook_remove(&sound->core_listener);
        pipewire->core_disconnect(sound->core);
    }
    if (sound->context) {
        pipewire->context_destroy(sound->context);
    }
    if (sound->loop) {
        pipewire->thread_loop_destroy(sound->loop);
    }
    free(sound->ring);
    free(sound);
}

struct record_sound *record_sound_start(enum record_sound_kind kind, int64_t program, bool quiet)
{
    struct record_sound *sound = kind == RECORD_SOUND_NONE ? NULL : calloc(1, sizeof(*sound));
    if (!sound) {
        return NULL;
    }
    sound->kind = kind;
    sound->program = program;
    const char *why = "PipeWire's library is not installed";
    if (record_pipewire_load(&sound->pipewire)) {
        sound->pipewire.init(NULL, NULL);
        why = begin(sound);
    }
    if (why) {
        cli_report_note(quiet, "there is no sound in the movies: %s", why);
        end(sound);
        return NULL;
    }
    return sound;
}

void record_sound_stop(struct record_sound *sound, bool quiet)
{
    if (!sound) {
        return;
    }
    if (!atomic_load(&sound->is_lost) && atomic_load(&sound->ring->num_blocks) == 0) {
        cli_report_note(quiet, "%s played nothing: the sound of the movies is silence",
                        sound->kind == RECORD_SOUND_PROGRAM ? "the program" : "the desktop");
    }
    end(sound);
}

const struct record_ring *record_sound_ring(const struct record_sound *sound)
{
    return sound ? sound->ring : NULL;
}
