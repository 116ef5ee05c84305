// SPDX-License-Identifier: MIT
// The process that decodes: it answers requests until its socket ends.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "capture/base/size.h"
#include "capture/base/thread.h"
#include "capture/weir/decoder/channel.h"
#include "capture/weir/decoder/decoder.h"

enum { MAX_FRAMES = 64 };

struct frame {
    int socket, memory; // memory that both processes have
    weir_source_frame *frame;
    // Of what is taken into it: the other process asks for one thing after the other, which orders
    // nothing in this one.
    pthread_mutex_t lock;
};

static struct {
    int socket;
    char **paths; // the inputs
    size_t num_paths;
    weir_source *source;
    struct frame frames[MAX_FRAMES];
    uint32_t num_frames;
    int audio_socket;
    weir_audio_source *audio;
} server;

// The socket whose request this thread answers. Messages go there before the reply, and those of
// threads that answer none, such as one that reads pictures ahead, over the first one.
static _Thread_local int served = -1;
static pthread_mutex_t first_socket = PTHREAD_MUTEX_INITIALIZER;

// The end of the other process ends this one, whatever its threads are at.
static void reply(const struct channel_message *message, const void *bytes)
{
    const int socket = served >= 0 ? served : server.socket;
    if (socket == server.socket) {
        pthread_mutex_lock(&first_socket);
    }
    if (!channel_send(socket, message, bytes, NULL, 0)) {
        _exit(EXIT_SUCCESS);
    }
    if (socket == server.socket) {
        pthread_mutex_unlock(&first_socket);
    }
}

static void send_message(void *user, const struct weir_log_message *message)
{
    (void)user;
    const struct channel_message log = {
        .type = CHANNEL_LOG,
        .size = strnlen(message->text, CHANNEL_MAX_TEXT - 1),
        .severity = (uint32_t)message->severity,
    };
    reply(&log, message->text);
}

static const struct weir_log log_to_parent = {.print = send_message,
                                              .least_severity = WEIR_LOG_WARNING};

static void receive(void *bytes, size_t size, int *descriptors)
{
    if (!channel_receive(served, bytes, size, descriptors, NULL)) {
        _exit(EXIT_SUCCESS);
    }
}

// Receive what follows a request, and end it with 0.
static char *receive_text(const struct channel_message *request)
{
    char *text = calloc(request->size + 1, 1);
    if (!text) {
        _exit(EXIT_FAILURE);
    }
    receive(text, request->size, NULL);
    return text;
}

// Split texts that each end with 0.
static char **split(char *texts, size_t size, size_t *num)
{
    char **list = calloc(size + 1, sizeof(*list));
    *num = 0;
    for (size_t at = 0; list && at < size; at += strlen(texts + at) + 1) {
        list[(*num)++] = texts + at;
    }
    if (!list) {
        _exit(EXIT_FAILURE);
    }
    return list;
}

static void start(const struct channel_message *request)
{
    server.paths = split(receive_text(request), request->size, &server.num_paths);
    decoder_confine(server.paths, server.num_paths, request->max_memory, server.socket);
}

static void read_picture(struct channel_message *message)
{
    struct weir_picture picture;
    const struct weir_memory_use memory = message->wanted.memory;
    const struct weir_still_params still = message->wanted.still;
    char *path = receive_text(message);
    const enum weir_result result = weir_picture_read(path, &memory, &still, &log_to_parent,
                                                      &picture);
    struct channel_message answer = {.type = CHANNEL_PICTURE, .result = result, .picture = picture};
    answer.picture.texels = NULL;
    reply(&answer, NULL);
    if (result == WEIR_OK &&
        !channel_send_bytes(served, picture.texels, picture.pitch * picture.height)) {
        _exit(EXIT_SUCCESS);
    }
    weir_picture_free(&picture);
    free(path);
}

static void open_source(struct channel_message *message)
{
    struct weir_source_params params = message->params;
    struct channel_message answer = {.type = CHANNEL_SOURCE};
    params.paths = server.paths;
    params.num_paths = server.num_paths;
    params.log.print = send_message;
    answer.result = weir_source_open(&params, &server.source);
    const struct weir_source_chapter *chapters = NULL;
    if (answer.result == WEIR_OK) {
        struct weir_source_info *info = &answer.source.info;
        *info = weir_source_get_info(server.source);
        chapters = info->chapters;
        info->num_chapters = weir_min(info->num_chapters, CHANNEL_MAX_BYTES / sizeof(*chapters));
        answer.size = info->num_chapters * sizeof(*chapters);
        info->chapters = NULL;
        snprintf(answer.source.name, sizeof(answer.source.name), "%s",
                 weir_source_name(server.source));
    }
    reply(&answer, chapters);
}

static enum weir_result start_thread(const char *name, void *(*run)(void *user), void *user)
{
    pthread_t thread;
    return weir_thread_start(&thread, name, run, user)
               ? WEIR_OK
               : weir_fail(&log_to_parent, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                           "no thread can be started");
}

static uint8_t *map_frame(const struct frame *frame, size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, frame->memory, 0);
    if (memory != MAP_FAILED) {
        return memory;
    }
    weir_fail(&log_to_parent, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
              "no memory for frames of %s", weir_source_name(server.source));
    return NULL;
}

static void *serve_frame(void *user)
{
    struct frame *frame = user;
    uint8_t *memory = NULL;
    served = frame->socket;
    for (struct channel_message message;;) {
        receive(&message, sizeof(message), NULL);
        if (!memory) { // it does not change any more
            memory = map_frame(frame, message.convert.size);
        }
        pthread_mutex_lock(&frame->lock);
        message.result = !memory ? WEIR_ERROR_OUT_OF_MEMORY
                                 : weir_source_frame_convert(frame->frame, memory,
                                                             message.convert.pitch);
        pthread_mutex_unlock(&frame->lock);
        reply(&message, NULL);
    }
    return NULL;
}

static void create_frame(struct channel_message *message, const int *descriptors)
{
    if (server.num_frames == MAX_FRAMES) {
        _exit(EXIT_FAILURE);
    }
    struct frame *frame = &server.frames[server.num_frames];
    *frame = (struct frame){.socket = descriptors[0], .memory = descriptors[1]};
    pthread_mutex_init(&frame->lock, NULL);
    message->result = weir_source_frame_create(server.source, &frame->frame);
    if (message->result == WEIR_OK) {
        message->result = start_thread("weir-convert", serve_frame, frame);
    }
    server.num_frames += message->result == WEIR_OK;
    reply(message, NULL);
}

static void take_frame(struct channel_message *message)
{
    struct channel_take *take = &message->take;
    bool is_end = false;
    struct frame *frame = &server.frames[take->frame];
    pthread_mutex_lock(&frame->lock);
    message->result = weir_source_take(server.source, frame->frame, &take->time_ns, &is_end);
    pthread_mutex_unlock(&frame->lock);
    take->is_end = is_end;
    take->counts = weir_source_get_info(server.source).counts;
    reply(message, NULL);
}

static void read_audio(struct channel_message *message)
{
    const int64_t latest_ns = INT64_MAX / 4; // further from 0 there is none that a movie has
    struct weir_audio_block block = {.samples = NULL};
    bool is_end = false;
    message->result = weir_audio_source_read(server.audio, &block, &is_end);
    const uint8_t *samples = block.samples;
    block.samples = NULL;
    block.time_ns = block.time_ns < -latest_ns  ? -latest_ns
                    : block.time_ns > latest_ns ? latest_ns
                                                : block.time_ns;
    message->block = (struct channel_block){.is_end = is_end, .audio = block};
    message->size = (uint64_t)block.num_samples * block.sample_size;
    reply(message, samples);
}

static void *serve_audio(void *user)
{
    (void)user;
    served = server.audio_socket;
    for (struct channel_message message;;) {
        receive(&message, sizeof(message), NULL);
        if (message.type == CHANNEL_AUDIO_READ) {
            read_audio(&message);
        } else {
            weir_audio_source_end_frames(server.audio, message.end_ns);
        }
    }
    return NULL;
}

static void open_audio(struct channel_message *message, int socket)
{
    struct channel_message answer = {.type = CHANNEL_AUDIO};
    const struct weir_audio_source_params params = {
        .path = server.paths[0],
        .demux = server.source ? weir_source_get_demux(server.source) : NULL,
        .zero_ns = message->audio.zero_ns,
        .is_apart = message->audio.is_apart != 0,
        .is_part = message->audio.is_part != 0,
        .log = log_to_parent,
    };
    answer.result = weir_audio_source_open(&params, &server.audio);
    if (server.audio) {
        server.audio_socket = socket;
        answer.audio.num_tracks = weir_audio_source_get_tracks(server.audio, answer.audio.tracks);
        answer.result = start_thread("weir-audio", serve_audio, NULL);
    }
    reply(&answer, NULL);
}

static void serve(struct channel_message *message, const int *descriptors)
{
    switch ((enum channel_type)message->type) {
    case CHANNEL_START:
        start(message);
        break;
    case CHANNEL_PICTURE:
        read_picture(message);
        break;
    case CHANNEL_SOURCE:
        open_source(message);
        break;
    case CHANNEL_DEEP:
        weir_source_give_16_bits(server.source);
        break;
    case CHANNEL_FRAME:
        create_frame(message, descriptors);
        break;
    case CHANNEL_TAKE:
        take_frame(message);
        break;
    case CHANNEL_AUDIO:
        open_audio(message, descriptors[0]);
        break;
    default:
        _exit(EXIT_FAILURE);
    }
}

int decoder_serve(const char *socket)
{
    // The end of a socket ends this process too, but not while it computes.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "weir-decoder");
    weir_source_silence_libav();
    served = server.socket = atoi(socket);
    for (struct channel_message message;;) {
        int descriptors[CHANNEL_MAX_DESCRIPTORS];
        receive(&message, sizeof(message), descriptors);
        serve(&message, descriptors);
    }
}
