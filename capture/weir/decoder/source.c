// SPDX-License-Identifier: MIT
// A source that another process decodes, as the program has it, its audio, and pictures.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/weir/common/report.h"
#include "capture/weir/decoder/client.h"
#include "capture/weir/decoder/decoder.h"

struct cli_source {
    struct decoder_process *process;
    struct weir_source_info info; // with chapters that are owned
    char name[sizeof(((struct channel_message *)NULL)->source.name)];
    int64_t last_ns; // time of the last frame
    uint32_t num_frames;
};

struct cli_source_frame {
    cli_source *source;
    uint32_t number;
    int socket, memory;    // memory that both processes have
    const uint8_t *pixels; // in it; NULL: not yet
    size_t size;
};

struct cli_audio_source {
    struct decoder_process *process, *own; // that of the source; or one of its own, which is both
    int socket;
    struct channel_audio tracks;
    uint8_t *samples; // of the last block
};

static enum weir_result tell_no_memory(const char *name)
{
    return cli_fail(WEIR_ERROR_OUT_OF_MEMORY,
                    "no memory to read %s; close other programs, or make it smaller", name);
}

static enum weir_result receive_chapters(cli_source *source, uint64_t size)
{
    struct weir_source_chapter *chapters = size > 0 ? malloc(size) : NULL;
    source->info.chapters = chapters;
    if (size > 0 && !chapters) {
        return tell_no_memory(source->name);
    }
    WEIR_TRY(client_receive(source->process, source->process->socket, chapters, size));
    return reply_is_chapters(chapters, source->info.num_chapters) ? WEIR_OK
                                                                  : client_refuse(source->process);
}

static enum weir_result open_source(cli_source *source, const struct weir_source_params *params,
                                    uint64_t max_memory)
{
    struct channel_message message = {.type = CHANNEL_SOURCE, .params = *params};
    WEIR_TRY(client_start(params->paths, params->num_paths, max_memory, &source->process));
    message.params.paths = NULL;
    message.params.log.print = NULL;
    WEIR_TRY(client_ask_timed(source->process, &message, NULL));
    WEIR_TRY((enum weir_result)message.result);
    if (!reply_is_source(&message, params)) {
        return client_refuse(source->process);
    }
    source->info = message.source.info;
    source->info.chapters = NULL;
    memcpy(source->name, message.source.name, sizeof(source->name));
    return receive_chapters(source, message.size);
}

enum weir_result cli_source_open(const struct weir_source_params *params, uint64_t max_memory,
                                 cli_source **out)
{
    *out = calloc(1, sizeof(**out));
    const enum weir_result result = *out ? open_source(*out, params, max_memory)
                                         : WEIR_ERROR_OUT_OF_MEMORY;
    if (result != WEIR_OK) {
        cli_source_close(out);
    }
    return result;
}

void cli_source_stop(cli_source *source)
{
    client_stop(source->process);
}

void cli_source_close(cli_source **source)
{
    if (*source) {
        client_finish(&(*source)->process);
        free((void *)(uintptr_t)(*source)->info.chapters);
        free(*source);
        *source = NULL;
    }
}

struct weir_source_info cli_source_get_info(const cli_source *source)
{
    return source->info;
}

const char *cli_source_name(const cli_source *source)
{
    return source->name;
}

void cli_source_give_16_bits(cli_source *source)
{
    channel_send(source->process->socket, &(const struct channel_message){.type = CHANNEL_DEEP},
                 NULL, NULL, 0);
}

// Make the end of a socket for the process, and memory that it cannot take away.
static bool make_descriptors(cli_source_frame *frame, int *end)
{
    int ends[2] = {-1, -1};
    frame->memory = memfd_create("frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool are = frame->memory >= 0 &&
                     fcntl(frame->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0 &&
                     socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    frame->socket = ends[0];
    *end = ends[1];
    return are;
}

static enum weir_result make_frame(cli_source_frame *frame)
{
    struct channel_message message = {.type = CHANNEL_FRAME};
    cli_source *source = frame->source;
    struct client_request request = {.num_descriptors = 2};
    const bool are = make_descriptors(frame, &request.descriptors[0]);
    request.descriptors[1] = frame->memory;
    CLI_FAIL_IF(!are, WEIR_ERROR_OUT_OF_MEMORY, "no memory for frames of %s: %s", source->name,
                strerror(errno));
    const enum weir_result result = client_ask(source->process, source->process->socket, &message,
                                               &request);
    close(request.descriptors[0]);
    frame->number = source->num_frames;
    source->num_frames++;
    return result == WEIR_OK ? (enum weir_result)message.result : result;
}

enum weir_result cli_source_frame_create(cli_source *source, cli_source_frame **out)
{
    *out = calloc(1, sizeof(**out));
    if (!*out) {
        return tell_no_memory(source->name);
    }
    (*out)->source = source;
    const enum weir_result result = make_frame(*out);
    if (result != WEIR_OK) {
        cli_source_frame_destroy(out);
    }
    return result;
}

static void close_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

void cli_source_frame_destroy(cli_source_frame **frame)
{
    if (!frame || !*frame) {
        return;
    }
    if ((*frame)->pixels) {
        munmap((void *)(uintptr_t)(*frame)->pixels, (*frame)->size);
    }
    close_open((*frame)->socket);
    close_open((*frame)->memory);
    free(*frame);
    *frame = NULL;
}

enum weir_result cli_source_take(cli_source *source, cli_source_frame *frame, int64_t *time_ns,
                                 bool *end)
{
    struct channel_message message = {.type = CHANNEL_TAKE, .take = {.frame = frame->number}};
    *end = false;
    WEIR_TRY(client_ask_timed(source->process, &message, NULL));
    WEIR_TRY((enum weir_result)message.result);
    if (!reply_is_take(&message.take, source->last_ns)) {
        return client_refuse(source->process);
    }
    *end = message.take.is_end != 0;
    source->info.counts = message.take.counts;
    if (!*end) {
        *time_ns = source->last_ns = message.take.time_ns;
    }
    return WEIR_OK;
}

static bool make_room(cli_source_frame *frame, size_t size)
{
    void *memory = ftruncate(frame->memory, (off_t)size) == 0
                       ? mmap(NULL, size, PROT_READ, MAP_SHARED, frame->memory, 0)
                       : MAP_FAILED;
    if (memory != MAP_FAILED) {
        frame->pixels = memory;
        frame->size = size;
    }
    return memory != MAP_FAILED;
}

enum weir_result cli_source_frame_convert(cli_source_frame *frame, uint8_t *pixels, size_t pitch)
{
    cli_source *source = frame->source;
    const size_t size = pitch * source->info.height;
    struct channel_message message = {.type = CHANNEL_CONVERT, .convert = {pitch, size}};
    CLI_FAIL_IF(!frame->pixels && !make_room(frame, size), WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for frames of %s: %s", source->name, strerror(errno));
    WEIR_TRY(client_ask(source->process, frame->socket, &message, NULL));
    if (message.result == WEIR_OK) {
        memcpy(pixels, frame->pixels, size);
    }
    return (enum weir_result)message.result;
}

static enum weir_result open_audio(cli_audio_source *audio, const char *path,
                                   const struct channel_audio *wanted)
{
    int ends[2];
    struct channel_message message = {.type = CHANNEL_AUDIO, .audio = *wanted};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return tell_no_memory(path);
    }
    const enum weir_result result = client_ask(audio->process, audio->process->socket, &message,
                                               &(const struct client_request){NULL, {ends[1]}, 1});
    close(ends[1]);
    audio->socket = ends[0];
    audio->tracks = message.audio;
    WEIR_TRY(result);
    return message.result != WEIR_OK || reply_is_audio(&audio->tracks)
               ? (enum weir_result)message.result
               : client_refuse(audio->process);
}

enum weir_result cli_audio_source_open(cli_source *source, const char *path, int64_t zero_ns,
                                       bool is_part, cli_audio_source **out)
{
    *out = calloc(1, sizeof(**out));
    if (!*out) {
        return tell_no_memory(path);
    }
    (*out)->socket = -1;
    char *const own_path = (char *)(uintptr_t)path;
    enum weir_result result = source ? WEIR_OK : client_start(&own_path, 1, 0, &(*out)->own);
    (*out)->process = source ? source->process : (*out)->own;
    if (result == WEIR_OK) {
        result = open_audio(*out, path,
                            &(const struct channel_audio){
                                .zero_ns = zero_ns, .is_apart = !source, .is_part = is_part});
    }
    if (result != WEIR_OK || (*out)->tracks.num_tracks == 0) {
        cli_audio_source_close(out);
    }
    return result;
}

void cli_audio_source_close(cli_audio_source **audio)
{
    if (*audio) {
        close_open((*audio)->socket);
        client_finish(&(*audio)->own);
        free((*audio)->samples);
        free(*audio);
        *audio = NULL;
    }
}

uint32_t cli_audio_source_get_tracks(const cli_audio_source *audio,
                                     struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS])
{
    memcpy(tracks, audio->tracks.tracks, sizeof(audio->tracks.tracks));
    return audio->tracks.num_tracks;
}

enum weir_result cli_audio_source_read(cli_audio_source *audio, struct weir_audio_block *block,
                                       bool *end)
{
    struct channel_message message = {.type = CHANNEL_AUDIO_READ};
    WEIR_TRY(client_ask(audio->process, audio->socket, &message, NULL));
    if (!reply_is_block(&message, &audio->tracks)) {
        return client_refuse(audio->process);
    }
    *end = message.block.is_end != 0;
    if (message.result != WEIR_OK || *end) {
        return (enum weir_result)message.result;
    }
    free(audio->samples);
    audio->samples = malloc(message.size);
    if (!audio->samples) {
        return tell_no_memory(audio->process->input);
    }
    *block = message.block.audio;
    block->samples = audio->samples;
    return client_receive(audio->process, audio->socket, audio->samples, message.size);
}

void cli_audio_source_end_frames(cli_audio_source *audio, int64_t end_ns)
{
    channel_send(audio->socket,
                 &(const struct channel_message){.type = CHANNEL_AUDIO_END_VIDEO, .end_ns = end_ns},
                 NULL, NULL, 0);
}

// Pictures.

static enum weir_result start_pictures(struct cli_pictures *pictures)
{
    const size_t num = pictures->list ? pictures->list->num_files : 1;
    const char **paths = calloc(num, sizeof(*paths));
    for (size_t i = 0; paths && i < num; i++) {
        paths[i] = pictures->list ? pictures->list->files[i].path : pictures->path;
    }
    const enum weir_result result = paths ? client_start((char *const *)paths, num,
                                                         pictures->max_memory, &pictures->process)
                                          : WEIR_ERROR_OUT_OF_MEMORY;
    free(paths);
    return result;
}

static enum weir_result take_picture(struct cli_pictures *pictures, const char *path,
                                     const struct channel_message *reply,
                                     struct weir_picture *picture)
{
    *picture = reply->picture;
    const size_t size = picture->pitch * picture->height;
    picture->changes = NULL;
    picture->texels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, size);
    if (!picture->texels) {
        client_finish(&pictures->process); // which has them on its way
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory to read %s", path);
    }
    return client_receive(pictures->process, pictures->process->socket, picture->texels, size);
}

enum weir_result cli_picture_read(struct cli_pictures *pictures, const char *path,
                                  const struct weir_memory_use *memory,
                                  struct weir_picture *picture)
{
    struct channel_message message = {
        .type = CHANNEL_PICTURE, .size = strlen(path), .wanted = {*memory, pictures->still}};
    *picture = (struct weir_picture){0};
    if (pictures->process && pictures->process->is_over) {
        client_finish(&pictures->process);
    }
    if (!pictures->process) {
        WEIR_TRY(start_pictures(pictures));
    }
    pictures->process->input = path;
    WEIR_TRY(client_ask_timed(pictures->process, &message,
                              &(const struct client_request){.bytes = path}));
    WEIR_TRY((enum weir_result)message.result);
    return reply_is_picture(&message, memory) ? take_picture(pictures, path, &message, picture)
                                              : client_refuse(pictures->process);
}

void cli_pictures_finish(struct cli_pictures *pictures)
{
    client_finish(&pictures->process);
}
