// SPDX-License-Identifier: MIT
// What frames of one size and format need, and the list of encodings of a capture.
#include "capture/stream/encoding.h"

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

struct weir_frame_format weir_frame_format_of(const weir_image *image, const char *tag)
{
    const struct weir_image_params params = weir_image_get_params(image);
    return (struct weir_frame_format){
        .width = params.width, .height = params.height, .image = image, .tag = tag};
}

bool weir_encodings_fit(const struct weir_encodings *encodings,
                        const struct weir_frame_format *format)
{
    const struct weir_encoding *encoding = encodings->current;
    return format->width == encoding->width && format->height == encoding->height &&
           (!format->image || weir_encoder_reads(encoding->gpu.textures[0].encoder, format->image));
}

static void destroy(struct weir_encoding *encoding)
{
    weir_packer_destroy(&encoding->packer);
    weir_encoding_gpu_finish(&encoding->gpu);
    free(encoding);
}

static enum weir_result make(const struct weir_encodings *encodings, struct weir_encoding *encoding,
                             const struct weir_frame_format *format)
{
    const struct weir_capture_params *params = &encodings->params;
    const uint32_t unit = params->movie.pad ? 4 : 1;
    struct weir_packer_params packer = {
        .codec = params->codec,
        .width = format->width,
        .height = format->height,
        .snappy = params->rate.compression == WEIR_COMPRESSION_SNAPPY,
        .num_chunks = params->rate.num_chunks,
    };
    encoding->width = format->width;
    encoding->height = format->height;
    encoding->source = encodings->blocks;
    encoding->movie = (struct weir_mux_kind){
        .number = encodings->num,
        .width = (uint32_t)weir_round_up(format->width, unit),
        .height = (uint32_t)weir_round_up(format->height, unit),
        .nominal_size = (uint32_t)weir_movie_codec_frame_size(params->codec, format->width,
                                                              format->height),
    };
    if (format->image) {
        WEIR_TRY(weir_encoding_gpu_init(&encoding->gpu, encodings, format, &packer));
        encoding->source = (struct weir_slot_source){
            .wait = wait_for_readback, .release = release_readback, .user = encoding->gpu.readback};
    }
    return weir_packer_create(&packer, encodings->log, &encoding->packer);
}

enum weir_result weir_encodings_change(struct weir_encodings *encodings,
                                       const struct weir_frame_format *format)
{
    struct weir_encoding *encoding = calloc(1, sizeof(*encoding));
    if (!encoding) {
        return weir_fail(encodings->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for frames of another size or format");
    }
    const enum weir_result result = make(encodings, encoding, format);
    if (result != WEIR_OK) {
        destroy(encoding);
        return result;
    }
    encodings->num++;
    if (encodings->current) {
        encodings->current->next = encodings->old;
        encodings->old = encodings->current;
    }
    encodings->current = encoding;
    return WEIR_OK;
}

void weir_encodings_sweep(struct weir_encodings *encodings)
{
    for (struct weir_encoding **at = &encodings->old; *at;) {
        struct weir_encoding *encoding = *at;
        if (atomic_load_explicit(&encoding->num_in_flight, memory_order_acquire) == 0 &&
            weir_readback_is_idle(encoding->gpu.readback)) {
            *at = encoding->next;
            destroy(encoding);
        } else {
            at = &encoding->next;
        }
    }
}

void weir_encodings_finish(struct weir_encodings *encodings)
{
    while (encodings->old) {
        struct weir_encoding *encoding = encodings->old;
        encodings->old = encoding->next;
        destroy(encoding);
    }
    if (encodings->current) {
        destroy(encodings->current);
        encodings->current = NULL;
    }
}
