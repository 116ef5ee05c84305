// SPDX-License-Identifier: MIT
// Packets: makes a HAP frame of its textures, each stored or compressed by Snappy.
#include "capture/stream/packet/packet.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <weir/capture.h>

#include "capture/base/size.h"
#include "capture/base/system.h"
#include "capture/base/thread.h"
#include "capture/movie/hap.h"

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    void (*part)(void *user, uint32_t index);
    void *user;
    uint32_t num_parts, next, num_done;
    bool quit;
    uint32_t num_workers;
    pthread_t workers[];
};

// Take parts until none is left. The mutex is held on entry and on return.
static void work(struct pool *pool)
{
    while (pool->next < pool->num_parts) {
        const uint32_t index = pool->next++;
        pthread_mutex_unlock(&pool->mutex);
        pool->part(pool->user, index);
        pthread_mutex_lock(&pool->mutex);
        if (++pool->num_done == pool->num_parts) {
            pthread_cond_signal(&pool->done);
        }
    }
}

static void *worker(void *user)
{
    struct pool *pool = user;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->quit) {
        if (pool->next < pool->num_parts) {
            work(pool);
        } else {
            pthread_cond_wait(&pool->work, &pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void destroy_pool(struct pool *pool)
{
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->num_workers; i++) {
        pthread_join(pool->workers[i], NULL);
    }
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

// Start threads; the one that calls run_pool() works too. NULL: out of memory or threads.
static struct pool *create_pool(uint32_t num_workers)
{
    struct pool *pool = calloc(1, sizeof(*pool) + num_workers * sizeof(pool->workers[0]));
    if (!pool) {
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->num_workers < num_workers) {
        if (!weir_thread_start(&pool->workers[pool->num_workers], "weir-pack", worker, pool)) {
            destroy_pool(pool);
            return NULL;
        }
        pool->num_workers++;
    }
    return pool;
}

// Call part(user, 0) .. part(user, num_parts - 1), spread over the threads. Returns when all are
// done.
static void run_pool(struct pool *pool, void (*part)(void *user, uint32_t index), void *user,
                     uint32_t num_parts)
{
    pthread_mutex_lock(&pool->mutex);
    pool->part = part;
    pool->user = user;
    pool->num_done = 0;
    pool->next = 0;
    pool->num_parts = num_parts;
    pthread_cond_broadcast(&pool->work);
    work(pool);
    while (pool->num_done < num_parts) {
        pthread_cond_wait(&pool->done, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

// Packets.

// The most texels of a frame that one chunk is enough for: HD, in whole macroblocks.
#define MAX_TEXELS_OF_ONE_CHUNK (1920u * 1088u)

struct weir_packer {
    bool snappy;
    uint32_t num_textures;
    struct weir_packed_texture textures[WEIR_MOVIE_MAX_TEXTURES];
    struct pool *pool;
    uint8_t *buffer; // room for the outer header, then the rooms of the textures
    bool is_packed;
    uint64_t offsets[WEIR_MOVIE_MAX_TEXTURES]; // with is_packed, as in the plan
};

// Players decompress chunks in parallel, which pays for frames that are larger than HD.
static uint32_t wanted_chunks(const struct weir_packer_params *params)
{
    if (params->num_chunks != WEIR_CHUNKS_AUTO) {
        return params->num_chunks;
    }
    const uint32_t most = weir_num_processors() < WEIR_PACKET_MAX_CHUNKS ? weir_num_processors()
                                                                         : WEIR_PACKET_MAX_CHUNKS;
    return (uint64_t)params->width * params->height > MAX_TEXELS_OF_ONE_CHUNK ? most : 1;
}

static uint32_t texture_size(const struct weir_movie_codec_info *codec, uint32_t index,
                             uint32_t width, uint32_t height)
{
    return (uint32_t)weir_codec_image_size(codec->textures[index], width, height);
}

// Plan the chunks of the textures. Returns how many textures there are.
static uint32_t init_textures(const struct weir_packer_params *params,
                              struct weir_packed_texture *textures)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    const bool has_snappy = params->snappy || params->is_packed;
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        weir_packed_texture_init(&textures[i], weir_hap_texture_of(codec, i),
                                 texture_size(codec, i, params->width, params->height),
                                 weir_codec_get_info(codec->textures[i])->block_size,
                                 has_snappy ? wanted_chunks(params) : 1);
        const bool has_alpha = codec->textures[i] == WEIR_CODEC_BC3; // which is often all 255
        textures[i].content = !params->is_rdo ? WEIR_SNAPPY_ANY
                              : has_alpha     ? WEIR_SNAPPY_SAME_HALVES
                                              : WEIR_SNAPPY_HALVES;
    }
    return codec->num_textures;
}

struct weir_packet_plan weir_packet_plan(const struct weir_packer_params *params)
{
    struct weir_packed_texture textures[WEIR_MOVIE_MAX_TEXTURES];
    struct weir_packet_plan plan = {.num_textures = init_textures(params, textures)};
    for (uint32_t i = 0; i < plan.num_textures; i++) {
        plan.textures[i] = (struct weir_snappy_params){
            .size = textures[i].size,
            .num_chunks = textures[i].num_chunks,
            .least_saved = textures[i].instructions + 1,
        };
        const uint64_t room = i > 0 ? weir_round_up(WEIR_PACKET_PACKED_HEADROOM, 16) : 0;
        plan.offsets[i] = plan.size + room;
        plan.size = plan.offsets[i] +
                    weir_snappy_destination_size(textures[i].size, textures[i].num_chunks);
    }
    return plan;
}

static enum weir_result create_snappy(struct weir_packer *packer)
{
    size_t size = WEIR_HAP_MAX_HEADER;
    uint32_t num_chunks = 0;
    for (uint32_t i = 0; i < packer->num_textures; i++) {
        size += weir_packed_texture_room(&packer->textures[i]);
        num_chunks += packer->textures[i].num_chunks;
    }
    packer->buffer = malloc(size);
    if (!packer->buffer) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memset(packer->buffer, 1, size); // first touch is slow; not on the first frame
    uint8_t *room = packer->buffer + WEIR_HAP_MAX_HEADER;
    for (uint32_t i = 0; i < packer->num_textures; i++) {
        packer->textures[i].room = room;
        room += weir_packed_texture_room(&packer->textures[i]);
    }
    packer->pool = create_pool(
        (weir_num_processors() < num_chunks ? weir_num_processors() : num_chunks) - 1);
    return packer->pool ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

enum weir_result weir_packer_create(const struct weir_packer_params *params,
                                    const struct weir_log *log, struct weir_packer **out)
{
    *out = NULL;
    struct weir_packer *packer = calloc(1, sizeof(*packer));
    enum weir_result result = packer ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
    if (packer) {
        packer->snappy = params->snappy;
        packer->is_packed = params->is_packed;
        packer->num_textures = init_textures(params, packer->textures);
        memcpy(packer->offsets, weir_packet_plan(params).offsets, sizeof(packer->offsets));
        if (!params->is_packed && params->snappy) {
            result = create_snappy(packer);
        }
    }
    if (result != WEIR_OK) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory or threads for compressing frames of %ux%u; capture without "
                        "compression, or with fewer chunks",
                        params->width, params->height);
        weir_packer_destroy(&packer);
    }
    *out = packer;
    return result;
}

void weir_packer_destroy(struct weir_packer **packer)
{
    if (packer && *packer) {
        destroy_pool((*packer)->pool);
        free((*packer)->buffer);
        free(*packer);
        *packer = NULL;
    }
}

uint32_t weir_packer_num_chunks(const struct weir_packer *packer)
{
    return packer->textures[0].num_chunks;
}

// The blocks of the second texture follow those of the first where the header between them fits.
uint32_t weir_packet_gap(enum weir_movie_codec codec, uint32_t width, uint32_t height)
{
    const struct weir_movie_codec_info *info = weir_movie_codec_get_info(codec);
    return info->num_textures > 1 ? weir_hap_header_size(texture_size(info, 1, width, height)) : 0;
}

// The chunks of all textures that try Snappy are one job.
static void compress_chunk(void *user, uint32_t index)
{
    struct weir_packer *packer = user;
    for (uint32_t i = 0; i < packer->num_textures; i++) {
        struct weir_packed_texture *texture = &packer->textures[i];
        const uint32_t num_chunks = texture->tries_snappy ? texture->num_chunks : 0;
        if (index < num_chunks) {
            weir_packed_texture_compress(texture, index);
            return;
        }
        index -= num_chunks;
    }
}

// Put two sections together as one. If both are stored they are so already. If not, the second one
// goes behind the first: either that is in the slot, and the second one is smaller than the texture
// there, or lies further back, or the first is in the buffer, which has room for both.
static struct weir_packet join(struct weir_packet first, struct weir_packet second)
{
    uint8_t *end = first.data + first.size;
    if (second.data != end) {
        memmove(end, second.data, second.size);
    }
    const uint32_t size = first.size + second.size;
    uint8_t *header = weir_hap_write_header(first.data, size, WEIR_HAP_MULTIPLE);
    return (struct weir_packet){.data = header, .size = size + (uint32_t)(first.data - header)};
}

static struct weir_packet wrap(struct weir_packer *packer, uint8_t *data)
{
    const struct weir_packet first = weir_packed_texture_wrap(&packer->textures[0], data);
    return packer->num_textures == 1
               ? first
               : join(first,
                      weir_packed_texture_wrap(&packer->textures[1], data + packer->offsets[1]));
}

struct weir_packet weir_packer_pack(struct weir_packer *packer, uint8_t *data)
{
    if (packer->is_packed) {
        return wrap(packer, data);
    }
    uint32_t num_chunks = 0;
    for (uint32_t i = 0; i < packer->num_textures; i++) {
        struct weir_packed_texture *texture = &packer->textures[i];
        data += i > 0 ? weir_hap_header_size(texture->size) : 0;
        weir_packed_texture_begin(texture, data, packer->snappy);
        num_chunks += texture->tries_snappy ? texture->num_chunks : 0;
        data += texture->size;
    }
    if (num_chunks > 0) {
        run_pool(packer->pool, compress_chunk, packer, num_chunks);
    }
    const struct weir_packet first = weir_packed_texture_end(&packer->textures[0]);
    if (packer->num_textures == 1) {
        return first;
    }
    return join(first, weir_packed_texture_end(&packer->textures[1]));
}
