// SPDX-License-Identifier: MIT
// Replies of a process that a hostile file has taken over: what the program takes of them is what
// it may use, whatever they say. No process runs and no socket is read; each reply is one that a
// decoder gives, in which the input changes bytes.
#include "capture/weir/decoder/decoder.h"

#include <stdlib.h>
#include <string.h>

#include "capture/weir/decoder/client.h"
#include "tests/fuzz/fuzz.h"

enum { WIDTH = 20, HEIGHT = 6, MAX_CHANGES = 8, MAX_CALLS = 12 };

static struct fuzz_bytes input;
static struct channel_message asked;
static int64_t frame_ns;

enum weir_result __wrap_client_start(char *const *paths, size_t num_paths, uint64_t max_memory,
                                     struct decoder_process **out);
bool __wrap_channel_send(int socket, const struct channel_message *message, const void *bytes,
                         const int *descriptors, uint32_t num_descriptors);
bool __wrap_channel_receive(int socket, void *bytes, size_t size, int *descriptors,
                            bool (*wait)(int));

enum weir_result __wrap_client_start(char *const *paths, size_t num_paths, uint64_t max_memory,
                                     struct decoder_process **out)
{
    (void)num_paths;
    (void)max_memory;
    *out = calloc(1, sizeof(**out));
    fuzz_expect(*out != NULL, "memory");
    (*out)->input = paths[0];
    (*out)->socket = -1;
    pthread_mutex_init(&(*out)->lock, NULL);
    return WEIR_OK;
}

bool __wrap_channel_send(int socket, const struct channel_message *message, const void *bytes,
                         const int *descriptors, uint32_t num_descriptors)
{
    (void)socket;
    (void)bytes;
    (void)descriptors;
    (void)num_descriptors;
    asked = *message;
    return true;
}

// What a decoder answers.
static struct channel_message answer(void)
{
    struct channel_message reply = {.type = asked.type};
    switch ((enum channel_type)asked.type) {
    case CHANNEL_SOURCE:
        reply.source.info = (struct weir_source_info){.width = WIDTH,
                                                      .height = HEIGHT,
                                                      .native_width = WIDTH,
                                                      .native_height = HEIGHT,
                                                      .pixel_aspect_num = 1,
                                                      .pixel_aspect_den = 1,
                                                      .rate_num = 25,
                                                      .rate_den = 1,
                                                      .end_ns = INT64_MAX,
                                                      .num_audio = 1,
                                                      .num_chapters = 1};
        reply.size = sizeof(struct weir_source_chapter);
        break;
    case CHANNEL_TAKE:
        reply.take.time_ns = frame_ns++;
        break;
    case CHANNEL_AUDIO:
        reply.audio.num_tracks = 1;
        reply.audio.tracks[0] = (struct weir_audio_track){.sample_rate = 48000, .num_channels = 2};
        break;
    case CHANNEL_AUDIO_READ:
        reply.block.audio = (struct weir_audio_block){.num_samples = 5, .sample_size = 4};
        reply.size = 20;
        break;
    case CHANNEL_PICTURE:
        reply.picture = (struct weir_picture){
            .width = WIDTH, .height = HEIGHT, .type = WEIR_PICTURE_8, .pitch = 128};
        break;
    default:
        break;
    }
    return reply;
}

bool __wrap_channel_receive(int socket, void *bytes, size_t size, int *descriptors,
                            bool (*wait)(int))
{
    (void)socket;
    (void)descriptors;
    (void)wait;
    if (size != sizeof(struct channel_message)) {
        memset(bytes, fuzz_take_u8(&input), size);
        return true;
    }
    struct channel_message reply = answer();
    const unsigned num_changes = fuzz_take_u8(&input) % MAX_CHANGES;
    for (unsigned i = 0; i < num_changes; i++) {
        const uint64_t at = (fuzz_take_u8(&input) | (size_t)fuzz_take_u8(&input) << 8) %
                            sizeof(reply);
        ((uint8_t *)&reply)[at] = fuzz_take_u8(&input);
    }
    memcpy(bytes, &reply, sizeof(reply));
    return num_changes < MAX_CHANGES - 1; // with all of them the process has ended
}

static volatile uint8_t read_bytes;

static void read_all(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        read_bytes ^= ((const uint8_t *)bytes)[i];
    }
}

static void read_frames(cli_source *source, const struct weir_source_info *info)
{
    cli_source_frame *frame = NULL;
    bool end = false;
    int64_t time_ns = 0, last_ns = 0;
    const size_t pitch = ((size_t)info->width * 4 + 63) / 64 * 64;
    uint8_t *pixels = malloc(pitch * info->height);
    enum weir_result result = cli_source_frame_create(source, &frame);
    for (int i = 0; i < MAX_CALLS && result == WEIR_OK && !end; i++) {
        result = cli_source_take(source, frame, &time_ns, &end);
        fuzz_expect(time_ns >= last_ns, "times rise");
        last_ns = time_ns;
        if (result == WEIR_OK && !end) {
            result = cli_source_frame_convert(frame, pixels, pitch);
        }
    }
    cli_source_frame_destroy(&frame);
    free(pixels);
}

static void read_audio(cli_source *source)
{
    cli_audio_source *audio = NULL;
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    struct weir_audio_block block;
    bool end = false;
    if (cli_audio_source_open(source, "a", 0, false, &audio) != WEIR_OK || !audio) {
        return;
    }
    const uint32_t num = cli_audio_source_get_tracks(audio, tracks);
    fuzz_expect(num > 0 && num <= WEIR_MAX_AUDIO_TRACKS, "%u tracks", num);
    for (int i = 0; i < MAX_CALLS && cli_audio_source_read(audio, &block, &end) == WEIR_OK && !end;
         i++) {
        fuzz_expect(block.track < num, "there is the track %u", block.track);
        read_all(block.samples, (size_t)block.num_samples * block.sample_size);
    }
    cli_audio_source_close(&audio);
}

static void read_source(void)
{
    char *const paths[] = {"a"};
    const struct weir_source_params params = {
        .paths = paths, .num_paths = 1, .memory = {.limit = 1 << 20, .texel_size = 8}};
    cli_source *source = NULL;
    if (cli_source_open(&params, 0, &source) != WEIR_OK) {
        fuzz_expect(source == NULL, "there is none");
        return;
    }
    const struct weir_source_info info = cli_source_get_info(source);
    fuzz_expect(info.width > 0 && info.height > 0 && (uint64_t)info.width * info.height <= 1 << 17,
                "%ux%u", info.width, info.height);
    fuzz_expect(strlen(info.coding) < sizeof(info.coding), "it ends");
    for (size_t i = 0; i < info.num_chapters; i++) {
        read_all(info.chapters[i].title, strlen(info.chapters[i].title));
    }
    read_frames(source, &info);
    read_audio(source);
    cli_source_close(&source);
}

static void read_picture(void)
{
    const struct weir_memory_use memory = {.limit = 1 << 20, .num_copies = 1};
    struct cli_pictures pictures = {.path = "a"};
    struct weir_picture picture;
    if (cli_picture_read(&pictures, "a", &memory, &picture) == WEIR_OK) {
        float *row = malloc(4 * sizeof(*row) * picture.width);
        fuzz_expect(row && (uint64_t)picture.width * picture.height <= 1 << 18, "%ux%u",
                    picture.width, picture.height);
        for (uint32_t y = 0; y < picture.height; y++) {
            weir_picture_row(&picture, y, row);
        }
        read_all(picture.pixels, strlen(picture.pixels));
        free(row);
    }
    weir_picture_free(&picture);
    cli_pictures_finish(&pictures);
}

static size_t seed(unsigned index, uint8_t *data)
{
    memset(data, 0, 256);
    data[0] = (uint8_t)index;
    return index < 2 ? 256 : 0;
}

// Change a byte of the beginning of the next reply, where its fields are.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    if (size < 8 || fuzz_below(random, 4) == 0) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    const size_t at = fuzz_below(random, 2) == 0 ? 1 : 1 + fuzz_below(random, (uint32_t)size - 5);
    const uint32_t offset = fuzz_below(random, 2) == 0 ? fuzz_below(random, 160)
                                                       : fuzz_below(random, 6000);
    data[at] = 1;
    data[at + 1] = (uint8_t)offset;
    data[at + 2] = (uint8_t)(offset >> 8);
    data[at + 3] = (uint8_t)fuzz_below(random, 256);
    return size;
}

static void run(const uint8_t *data, size_t size)
{
    input = (struct fuzz_bytes){data, size};
    frame_ns = 0;
    if (fuzz_take_u8(&input) % 2 == 0) {
        read_source();
    } else {
        read_picture();
    }
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "decoder", .num_runs = 20000,
                                                 .init = fuzz_silence_stderr, .seed = seed,
                                                 .mutate = mutate, .run = run);
