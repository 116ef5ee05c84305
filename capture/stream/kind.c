// SPDX-License-Identifier: MIT
// The kinds of frames: what frames of one size and format take, of which a capture with segments
// may have several, one after the other.
#include "capture/stream/kind.h"

#include <stdlib.h>

#include "capture/base/size.h"

static enum weir_result wait_for_readback(void *user, uint32_t slot, uint64_t timeout_ns,
                                          struct weir_readback_data *data)
{
    return weir_readback_wait(user, slot, timeout_ns, data);
}

static void release_readback(void *user, uint32_t slot)
{
    weir_readback_release(user, slot);
}

struct weir_kind_like weir_kind_like_image(const weir_image *image, const char *tag)
{
    const struct weir_image_params params = weir_image_get_params(image);
    return (struct weir_kind_like){
        .width = params.width, .height = params.height, .image = image, .tag = tag};
}

bool weir_kinds_takes(const struct weir_kinds *kinds, const struct weir_kind_like *like)
{
    const struct weir_kind *kind = kinds->current;
    return like->width == kind->width && like->height == kind->height &&
           (!like->image || weir_textures_read(&kind->gpu.textures, like->image));
}

// Make what encodes frames and brings them to the host, and say so in `packer`.
static enum weir_result make_gpu(const struct weir_kinds *kinds, struct weir_kind *kind,
                                 const struct weir_kind_like *like,
                                 struct weir_packer_params *packer)
{
    const struct weir_kind_gpu_params params = {
        .context = kinds->context,
        .capture = &kinds->params,
        .like = like->image,
        .tag = like->tag,
        .timeline_of = kinds->current ? kinds->current->gpu.readback : NULL,
    };
    const enum weir_result result = weir_kind_gpu_init(&kind->gpu, &params, packer);
    kind->writer.source = (struct weir_writer_source){
        .wait = wait_for_readback, .release = release_readback, .user = kind->gpu.readback};
    kind->writer.controls = kind->gpu.textures.controls;
    return result;
}

static void destroy(struct weir_kind *kind)
{
    weir_packer_destroy(&kind->writer.packer);
    weir_kind_gpu_finish(&kind->gpu);
    free(kind);
}

static enum weir_result make(const struct weir_kinds *kinds, struct weir_kind *kind,
                             const struct weir_kind_like *like)
{
    const struct weir_capture_params *params = &kinds->params;
    struct weir_packer_params packer = {
        .codec = params->codec,
        .width = like->width,
        .height = like->height,
        .snappy = params->rate.compression == WEIR_COMPRESSION_SNAPPY,
        .num_chunks = params->rate.num_chunks,
    };
    kind->width = like->width;
    kind->height = like->height;
    kind->writer.source = kinds->blocks;
    kind->writer.movie = (struct weir_mux_kind){
        .number = kinds->num,
        .width = params->movie.pad ? (uint32_t)weir_round_up(like->width, 4) : like->width,
        .height = params->movie.pad ? (uint32_t)weir_round_up(like->height, 4) : like->height,
        .nominal_size = (uint32_t)weir_movie_codec_frame_size(params->codec, like->width,
                                                              like->height),
    };
    const enum weir_result result = like->image ? make_gpu(kinds, kind, like, &packer) : WEIR_OK;
    return result == WEIR_OK ? weir_packer_create(&packer, kinds->log, &kind->writer.packer)
                             : result;
}

enum weir_result weir_kinds_change(struct weir_kinds *kinds, const struct weir_kind_like *like)
{
    struct weir_kind *kind = calloc(1, sizeof(*kind));
    if (!kind) {
        return weir_fail(kinds->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for frames of another kind");
    }
    const enum weir_result result = make(kinds, kind, like);
    if (result != WEIR_OK) {
        destroy(kind);
        return result;
    }
    kinds->num++;
    if (kinds->current) {
        kinds->current->next = kinds->old;
        kinds->old = kinds->current;
    }
    kinds->current = kind;
    return WEIR_OK;
}

void weir_kinds_sweep(struct weir_kinds *kinds)
{
    for (struct weir_kind **at = &kinds->old; *at;) {
        struct weir_kind *kind = *at;
        if (atomic_load_explicit(&kind->writer.num_in_flight, memory_order_acquire) == 0 &&
            weir_readback_is_idle(kind->gpu.readback)) {
            *at = kind->next;
            destroy(kind);
        } else {
            at = &kind->next;
        }
    }
}

void weir_kinds_finish(struct weir_kinds *kinds)
{
    while (kinds->old) {
        struct weir_kind *kind = kinds->old;
        kinds->old = kind->next;
        destroy(kind);
    }
    if (kinds->current) {
        destroy(kinds->current);
        kinds->current = NULL;
    }
}
