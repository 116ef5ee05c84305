// SPDX-License-Identifier: MIT
// The stream of a transcode: threads decode ahead into a ring, one at a time, and convert what they
// decoded, while the GPU encodes.

#include "capture/base/system.h"
#include "capture/base/thread.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/movie/movie.h"

// What frames on their way take at most, where two of them take no more [bytes].
static const uint64_t memory_goal = (uint64_t)2 << 30;

enum { MAX_WORKERS = CLI_STREAM_MAX_SLOTS - 1 };

struct slot {
    cli_source_frame *frame;
    struct weir_gpu_buffer staging;
    struct cli_image image;
    const weir_image *encoded;  // `image`, or what a filter makes of it
    struct weir_point uploaded; // the staging buffer is free again
    struct weir_point released; // the image is free again
    int64_t time_ns;
    bool is_converted;       // protected by the stream's lock
    enum weir_result result; // of the conversion
};

// Frame k is in slot k % num_slots. A worker owns a slot from when its last frame was uploaded
// until the next one is decoded and converted, and then the calling thread.
struct stream {
    struct cli_movie *movie;
    const struct cli_stream_filter *filter; // NULL: none
    struct slot slots[CLI_STREAM_MAX_SLOTS];
    uint32_t num_slots;
    uint64_t staging_size; // [bytes]
    pthread_t workers[MAX_WORKERS];
    uint32_t num_workers;
    pthread_mutex_t source; // of the worker that decodes
    pthread_mutex_t lock;   // protects the members from here on
    pthread_cond_t changed;
    uint64_t num_decoded, num_uploaded; // frames
    bool ended, cancelled;              // no more frames will come; none are wanted
    enum weir_result result;            // of the source
};

static struct slot *slot_of(struct stream *stream, uint64_t frame)
{
    return &stream->slots[frame % stream->num_slots];
}

static bool wait_for_room(struct stream *stream, uint64_t frame)
{
    pthread_mutex_lock(&stream->lock);
    while (frame - stream->num_uploaded >= stream->num_slots && !stream->cancelled) {
        pthread_cond_wait(&stream->changed, &stream->lock);
    }
    bool room = !stream->cancelled;
    pthread_mutex_unlock(&stream->lock);
    return room;
}

static enum weir_result make_image(struct stream *stream, struct slot *slot)
{
    const struct weir_source_info *info = &stream->movie->info;
    const struct cli_stream_filter *filter = stream->filter;
    const enum weir_result result = cli_image_init(
        &stream->movie->gpu,
        weir_image_params(.format = stream->movie->format, .width = info->width,
                          .height = info->height),
        &slot->image);
    slot->encoded = slot->image.weir;
    return result == WEIR_OK && filter
               ? filter->prepare(filter->user, (uint32_t)(slot - stream->slots), slot->image.weir,
                                 &slot->encoded)
               : result;
}

// Make what a slot has on the device, when its first frame comes: a driver takes 10 ms for the
// staging buffer of 2160p.
static enum weir_result make_slot(struct stream *stream, struct slot *slot)
{
    WEIR_TRY(cli_buffer_init(&stream->movie->gpu, stream->staging_size,
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true, &slot->staging));
    return make_image(stream, slot);
}

// Decode the next frame. False: there is none, or it is not wanted.
static bool decode(struct stream *stream, uint64_t *frame)
{
    const uint64_t max_frames = stream->movie->params.max_frames;
    enum weir_result result = WEIR_OK;
    bool end = false;
    pthread_mutex_lock(&stream->source);
    const uint64_t k = *frame = stream->num_decoded; // which changes under both locks
    const bool is_wanted = !stream->ended && (max_frames == 0 || k < max_frames) &&
                           wait_for_room(stream, k);
    if (is_wanted) {
        struct slot *slot = slot_of(stream, k);
        result = slot->encoded ? weir_gpu_wait(stream->movie->gpu.work, slot->uploaded, UINT64_MAX)
                               : make_slot(stream, slot);
        if (result == WEIR_OK) {
            result = cli_source_take(stream->movie->source, slot->frame, &slot->time_ns, &end);
        }
    }
    const bool is_there = is_wanted && result == WEIR_OK && !end;
    pthread_mutex_lock(&stream->lock);
    stream->num_decoded += is_there;
    stream->result = result != WEIR_OK ? result : stream->result;
    stream->ended = !is_there;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    pthread_mutex_unlock(&stream->source);
    return is_there;
}

// Set the alpha of all texels to 255. A source may leave it undefined.
static void make_opaque(const struct weir_source_info *info, uint8_t *pixels, size_t pitch)
{
    for (uint32_t y = 0; y < info->height; y++) {
        for (size_t x = 0; x < info->width; x++) {
            pixels[y * pitch + 4 * x + 3] = UINT8_MAX;
        }
    }
}

// A texel of 8 bytes counts as two.
static uint32_t staging_width(const struct cli_movie *movie)
{
    return movie->info.width * cli_texel_size(movie->format) / 4;
}

static enum weir_result convert_slot(const struct stream *stream, struct slot *slot)
{
    const size_t pitch = cli_staging_pitch(staging_width(stream->movie));
    const enum weir_result result = cli_source_frame_convert(slot->frame, slot->staging.mapped,
                                                             pitch);
    if (result == WEIR_OK && stream->filter && stream->filter->wants_opaque) {
        make_opaque(&stream->movie->info, slot->staging.mapped, pitch);
    }
    return result;
}

static void *work(void *user)
{
    struct stream *stream = user;
    uint64_t k;
    while (decode(stream, &k)) {
        struct slot *slot = slot_of(stream, k);
        slot->result = convert_slot(stream, slot);
        pthread_mutex_lock(&stream->lock);
        slot->is_converted = true;
        pthread_cond_broadcast(&stream->changed);
        pthread_mutex_unlock(&stream->lock);
    }
    return NULL;
}

// False: there is no such frame, and `*result` says why.
static bool wait_for_frame(struct stream *stream, uint64_t frame, enum weir_result *result)
{
    struct slot *slot = slot_of(stream, frame);
    pthread_mutex_lock(&stream->lock);
    while (!slot->is_converted && (frame < stream->num_decoded || !stream->ended)) {
        pthread_cond_wait(&stream->changed, &stream->lock);
    }
    const bool there = slot->is_converted && slot->result == WEIR_OK;
    *result = slot->is_converted ? slot->result : stream->result;
    pthread_mutex_unlock(&stream->lock);
    return there;
}

static enum weir_result send(struct stream *stream, struct slot *slot)
{
    struct cli_gpu *gpu = &stream->movie->gpu;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_wait(gpu->work, slot->released, UINT64_MAX));
    WEIR_TRY(weir_gpu_begin(gpu->work, &commands));
    cli_cmd_upload(gpu, commands, &slot->staging, &slot->image);
    int64_t time_ns = slot->time_ns;
    WEIR_TRY(weir_gpu_submit(gpu->work, commands, NULL, &slot->uploaded));
    struct weir_point ready = slot->uploaded;
    pthread_mutex_lock(&stream->lock);
    slot->is_converted = false;
    stream->num_uploaded++;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    const struct cli_stream_filter *filter = stream->filter;
    if (filter) {
        WEIR_TRY(filter->run(filter->user, (uint32_t)(slot - stream->slots), &ready));
    }
    const struct weir_frame frame = {
        .image = slot->encoded,
        .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .queue_family = gpu->queue.family,
        .wait = ready,
        .time_ns = time_ns,
    };
    return weir_capture_frame(stream->movie->capture, &frame, &slot->released);
}

static void join(struct stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->cancelled = true;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    while (stream->num_workers > 0) {
        pthread_join(stream->workers[--stream->num_workers], NULL);
    }
}

static enum weir_result pump(struct stream *stream, bool *stopped)
{
    struct cli_movie *movie = stream->movie;
    enum weir_result result = WEIR_OK, source_result = WEIR_OK;
    int64_t time_ns = 0;
    uint64_t k;
    for (k = 0; result >= WEIR_OK && wait_for_frame(stream, k, &source_result); k++) {
        *stopped = cli_interrupted();
        if (*stopped) {
            break;
        }
        struct slot *slot = slot_of(stream, k);
        time_ns = slot->time_ns;
        result = send(stream, slot);
        if (result >= WEIR_OK) {
            result = cli_movie_send_beside(movie, time_ns, CLI_STREAM_GOES_ON);
        }
        cli_movie_frame_done(movie);
    }
    join(stream);
    *stopped = *stopped || cli_interrupted();
    if (result >= WEIR_OK && k > 0) {
        const bool is_left = *stopped || source_result != WEIR_OK || k == movie->params.max_frames;
        result = cli_movie_send_beside(movie, time_ns, is_left ? CLI_STREAM_LEFT : CLI_STREAM_DONE);
    }
    return result < WEIR_OK || *stopped ? result : source_result;
}

static uint32_t at_most(uint64_t value, uint64_t limit)
{
    return (uint32_t)(value < limit ? value : limit);
}

// Choose how many frames are on their way, and how many are decoded or converted at a time. Beside
// those one is uploaded.
static void choose_numbers(struct stream *stream, uint64_t size)
{
    const uint32_t num_cores = weir_num_processors();
    const uint64_t limit = cli_movie_memory_limit(stream->movie);
    const uint64_t goal = limit != 0 && limit < memory_goal ? limit : memory_goal;
    // An image, its staging buffer, and as much for what is decoded and between.
    const uint32_t num_fit = at_most(goal / (4 * size), CLI_STREAM_MAX_SLOTS);
    stream->num_workers = num_fit <= 3 ? 2 : at_most(num_cores + 1, num_fit - 1);
    stream->num_slots = num_fit < 2 ? 2 : at_most(stream->num_workers + 1, num_fit);
}

// Make the frames of all slots, and the first slot, like whose image those of the capture are.
static enum weir_result make_first(struct stream *stream)
{
    const struct cli_movie *movie = stream->movie;
    stream->staging_size = (uint64_t)cli_staging_pitch(staging_width(movie)) * movie->info.height;
    choose_numbers(stream, stream->staging_size);
    for (uint32_t i = 0; i < stream->num_slots; i++) {
        WEIR_TRY(cli_source_frame_create(movie->source, &stream->slots[i].frame));
    }
    return make_slot(stream, &stream->slots[0]);
}

static void free_slots(struct stream *stream)
{
    struct cli_gpu *gpu = &stream->movie->gpu;
    // A filter may read an image that the capture then refused.
    weir_gpu_wait(gpu->work, weir_gpu_get_last(gpu->work), UINT64_MAX);
    for (uint32_t i = 0; i < stream->num_slots; i++) {
        struct slot *slot = &stream->slots[i];
        weir_gpu_wait(gpu->work, slot->released, UINT64_MAX);
        cli_image_finish(gpu, &slot->image);
        weir_gpu_buffer_finish(gpu->work, &slot->staging);
        cli_source_frame_destroy(&slot->frame);
    }
}

// Start the workers; those that the system gives no thread are done without.
static bool start(struct stream *stream)
{
    const uint32_t wanted = stream->num_workers;
    stream->num_workers = 0;
    while (stream->num_workers < wanted &&
           weir_thread_start(&stream->workers[stream->num_workers], "weir-decode", work, stream)) {
        stream->num_workers++;
    }
    return stream->num_workers > 0;
}

enum weir_result cli_movie_stream(struct cli_movie *movie, const struct cli_stream_filter *filter,
                                  bool *stopped)
{
    struct stream stream = {.movie = movie, .filter = filter};
    *stopped = false;
    pthread_mutex_init(&stream.source, NULL);
    pthread_mutex_init(&stream.lock, NULL);
    pthread_cond_init(&stream.changed, NULL);
    enum weir_result result = make_first(&stream);
    if (result == WEIR_OK && !start(&stream)) {
        cli_report_error("no thread can be started");
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result == WEIR_OK) { // while the first frames are decoded
        result = cli_movie_open_capture(movie, stream.slots[0].encoded);
    }
    if (result == WEIR_OK) {
        result = pump(&stream, stopped);
    }
    join(&stream);
    free_slots(&stream);
    pthread_cond_destroy(&stream.changed);
    pthread_mutex_destroy(&stream.lock);
    pthread_mutex_destroy(&stream.source);
    return result;
}
