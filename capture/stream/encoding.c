// SPDX-License-Identifier: MIT
// What frames of one size and format need, and the list of encodings of a capture.
#include "capture/stream/encoding.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"

// The alignment of the history of the encoders, and of that of the optimisers [bytes].
#define ALIGNMENT 16
// The least lambda: copies that lose nothing are found by it, and the optimiser counts what Snappy
// makes of them.
#define LEAST_LAMBDA 1

// Make the encoder of a texture and, with a quality or a rate, the optimiser of its blocks.
static enum weir_result make_texture(const struct weir_encodings *encodings,
                                     const struct weir_frame_format *format, enum weir_codec codec,
                                     struct weir_encoding_texture *texture)
{
    const struct weir_capture_encoding_params *params = &encodings->params.encoding;
    const struct weir_capture_rate_params *rate = &encodings->params.rate;
    const struct weir_codec_info *info = weir_codec_get_info(codec);
    const struct weir_encoder_params encoder = {
        .debug_tag = format->tag,
        .codec = codec,
        .decoder = params->decoder,
        .effort = params->effort,
        .like = format->image,
        .no_dither = params->no_dither,
        .bc4_alpha = codec == WEIR_CODEC_BC4,
        .steady = params->steady && info->has_steady,
    };
    const struct weir_rdo_params rdo = {
        .debug_tag = format->tag,
        .codec = codec,
        .like = format->image,
        .no_dither = params->no_dither,
        .bc4_alpha = encoder.bc4_alpha,
        .steady = params->steady,
        .control = true,
    };
    texture->size = weir_codec_image_size(codec, format->width, format->height);
    texture->num_channels = info->num_channels;
    WEIR_TRY(weir_encoder_create(encodings->context, &encoder, &texture->encoder));
    return rate->quality < 100 || rate->bytes_per_second > 0
               ? weir_rdo_create(encodings->context, &rdo, &texture->rdo)
               : WEIR_OK;
}

static enum weir_result make_textures(struct weir_encoding_gpu *gpu,
                                      const struct weir_encodings *encodings,
                                      const struct weir_frame_format *format)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(encodings->params.codec);
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        gpu->num_textures++;
        WEIR_TRY(make_texture(encodings, format, codec->textures[i], &gpu->textures[i]));
    }
    return WEIR_OK;
}

static bool packs(const struct weir_encodings *encodings, const struct weir_packet_plan *plan)
{
    const struct weir_capture_rate_params *rate = &encodings->params.rate;
    bool is_advised = true;
    for (uint32_t i = 0; i < plan->num_textures; i++) {
        is_advised = is_advised && weir_snappy_is_advised(encodings->context, &plan->textures[i]);
    }
    return rate->compression == WEIR_COMPRESSION_SNAPPY &&
           (rate->packing == WEIR_PACKING_GPU ||
            (rate->packing == WEIR_PACKING_AUTO && is_advised));
}

static enum weir_result make_packers(struct weir_encoding_gpu *gpu,
                                     const struct weir_encodings *encodings,
                                     const struct weir_frame_format *format,
                                     const struct weir_packer_params *packer)
{
    gpu->packed = weir_packet_plan(packer);
    gpu->is_packed = packs(encodings, &gpu->packed);
    for (uint32_t i = 0; gpu->is_packed && i < gpu->num_textures; i++) {
        struct weir_snappy_params params = gpu->packed.textures[i];
        params.debug_tag = format->tag;
        WEIR_TRY(weir_snappy_create(encodings->context, &params, &gpu->textures[i].snappy));
    }
    return WEIR_OK;
}

// Get the size of a frame's blocks [bytes].
static uint64_t blocks_size(const struct weir_encoding_gpu *gpu)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < gpu->num_textures; i++) {
        size += gpu->textures[i].size;
    }
    return size;
}

// Plan where the blocks of the frame before lie, of the encoders and behind them of the optimisers.
// Returns the size of both [bytes].
static uint64_t plan_history(struct weir_encoding_gpu *gpu)
{
    const uint64_t size = weir_round_up(blocks_size(gpu), ALIGNMENT);
    gpu->rdo_history = weir_encoder_get_params(gpu->textures[0].encoder).steady ? size : 0;
    return gpu->rdo_history + (gpu->textures[0].rdo ? size : 0);
}

static enum weir_result make_readback(struct weir_encoding_gpu *gpu,
                                      const struct weir_encodings *encodings,
                                      const struct weir_frame_format *format)
{
    const struct weir_capture_params *params = &encodings->params;
    const uint32_t width = format->width, height = format->height;
    const uint64_t preview_size = weir_preview_get_info(gpu->preview).size;
    struct weir_readback_params readback = {
        .debug_tag = format->tag,
        .size = blocks_size(gpu) + (gpu->is_packed ? 0 : preview_size),
        // One more than are in flight: the writer keeps the last frame, to repeat it.
        .num_slots = params->num_slots + params->timing.constant_rate,
        .headroom = gpu->is_packed ? WEIR_PACKET_PACKED_HEADROOM : WEIR_PACKET_HEADROOM,
        .history_size = params->encoding.steady ? plan_history(gpu) : 0,
        .control_size = gpu->textures[0].rdo
                            ? gpu->num_textures * weir_rdo_control_size(width, height)
                            : 0,
        .timeline_of = encodings->current ? encodings->current->gpu.readback : NULL,
        .resize = {.mode = params->on_resize,
                   .like = format->image,
                   .width = width,
                   .height = height},
    };
    if (gpu->is_packed) {
        gpu->preview_offset = weir_round_up(gpu->packed.size, ALIGNMENT);
        readback.direct_size = gpu->preview_offset + preview_size;
    } else {
        readback.first_size = gpu->num_textures > 1 ? gpu->textures[0].size : 0;
        readback.gap = weir_packet_gap(params->codec, width, height);
        gpu->preview_offset = blocks_size(gpu) + readback.gap;
    }
    return weir_readback_create(encodings->context, &readback, &gpu->readback);
}

static enum weir_result init_gpu(struct weir_encoding_gpu *gpu,
                                 const struct weir_encodings *encodings,
                                 const struct weir_frame_format *format,
                                 struct weir_packer_params *packer)
{
    const uint32_t max_side = encodings->params.preview.max_side;
    WEIR_TRY(make_textures(gpu, encodings, format));
    packer->is_rdo = gpu->textures[0].rdo != NULL;
    WEIR_TRY(make_packers(gpu, encodings, format, packer));
    packer->is_packed = gpu->is_packed;
    if (max_side > 0) {
        WEIR_TRY(weir_preview_create(encodings->context,
                                     &(struct weir_preview_params){.debug_tag = format->tag,
                                                                   .like = format->image,
                                                                   .max_side = max_side},
                                     &gpu->preview));
    }
    return make_readback(gpu, encodings, format);
}

static void finish_gpu(struct weir_encoding_gpu *gpu)
{
    weir_readback_destroy(&gpu->readback); // first: it waits for the GPU
    weir_preview_destroy(&gpu->preview);
    for (uint32_t i = 0; i < gpu->num_textures; i++) {
        weir_snappy_destroy(&gpu->textures[i].snappy);
        weir_rdo_destroy(&gpu->textures[i].rdo);
        weir_encoder_destroy(&gpu->textures[i].encoder);
    }
}

static enum weir_result record_encoders(const struct weir_encoding_gpu *gpu, VkCommandBuffer cmd,
                                        struct weir_encode encode)
{
    for (uint32_t i = 0; i < gpu->num_textures; i++) {
        WEIR_TRY(weir_cmd_encode(gpu->textures[i].encoder, cmd, &encode));
        encode.offset += gpu->textures[i].size; // a multiple of what the next blocks are aligned to
        encode.history_offset = encode.offset;
    }
    return WEIR_OK;
}

static enum weir_result record_optimisers(const struct weir_encoding_gpu *gpu, VkCommandBuffer cmd,
                                          uint64_t control_size, struct weir_rdo_run run)
{
    run.history_offset = gpu->rdo_history;
    for (uint32_t i = 0; i < gpu->num_textures; i++) {
        WEIR_TRY(weir_cmd_rdo(gpu->textures[i].rdo, cmd, &run));
        run.control_offset += control_size;
        run.offset += gpu->textures[i].size;
        run.history_offset += gpu->textures[i].size;
        run.no_barrier = true; // that of the first one serves all
    }
    return WEIR_OK;
}

static enum weir_result record_packers(const struct weir_encoding_gpu *gpu, VkCommandBuffer cmd,
                                       struct weir_snappy_run run)
{
    for (uint32_t i = 0; i < gpu->num_textures; i++) {
        run.destination_offset = gpu->packed.offsets[i];
        WEIR_TRY(weir_cmd_snappy(gpu->textures[i].snappy, cmd, &run));
        run.source_offset += gpu->textures[i].size;
    }
    return WEIR_OK;
}

static enum weir_result record_preview(const struct weir_encoding_gpu *gpu,
                                       const struct weir_slot *slot)
{
    const struct weir_preview_run run = {
        .source = slot->image,
        .commands = slot->commands,
        .buffer = gpu->is_packed ? weir_slot_result(gpu->readback, slot)
                                 : weir_slot_buffer(gpu->readback, slot),
        .offset = gpu->is_packed ? gpu->preview_offset : blocks_size(gpu),
    };
    return weir_cmd_preview(gpu->preview, slot->cmd, &run);
}

static uint64_t control_size(const struct weir_encoding *encoding)
{
    return weir_rdo_control_size(encoding->width, encoding->height);
}

enum weir_result weir_cmd_encoding(const struct weir_encoding *encoding,
                                   const struct weir_slot *slot, bool with_preview)
{
    const struct weir_encoding_gpu *gpu = &encoding->gpu;
    const weir_buffer *buffer = weir_slot_buffer(gpu->readback, slot);
    const weir_buffer *history = weir_readback_history(gpu->readback);
    const struct weir_encode encode = {.source = slot->image, .buffer = buffer, .history = history};
    WEIR_TRY(record_encoders(gpu, slot->cmd, encode));
    if (gpu->textures[0].rdo) {
        const weir_buffer *control = weir_slot_get_control(gpu->readback, slot->index).buffer;
        const struct weir_rdo_run run = {
            .source = slot->image, .buffer = buffer, .history = history, .control = control};
        WEIR_TRY(record_optimisers(gpu, slot->cmd, control_size(encoding), run));
    }
    if (gpu->is_packed) {
        const struct weir_snappy_run run = {.source = buffer,
                                            .destination = weir_slot_result(gpu->readback, slot)};
        WEIR_TRY(record_packers(gpu, slot->tail, run));
    }
    return with_preview ? record_preview(gpu, slot) : WEIR_OK;
}

void weir_encoding_set_quality(const struct weir_encoding *encoding, void *control, double quality)
{
    const uint32_t lambda = weir_rdo_lambda(quality);
    const struct weir_rdo_control head = {.lambda = lambda < LEAST_LAMBDA ? LEAST_LAMBDA : lambda};
    for (uint32_t i = 0; control && i < encoding->gpu.num_textures; i++) {
        memcpy((uint8_t *)control + i * control_size(encoding), &head, sizeof(head));
    }
}

struct weir_rdo_result weir_encoding_get_result(const struct weir_encoding *encoding,
                                                const void *control)
{
    struct weir_rdo_result sum = {0, 0};
    for (uint32_t i = 0; control && i < encoding->gpu.num_textures; i++) {
        const struct weir_rdo_result one = weir_rdo_get_result((const uint8_t *)control +
                                                                   i * control_size(encoding),
                                                               encoding->width, encoding->height);
        sum.squared_error += one.squared_error;
        sum.num_bytes += one.num_bytes;
    }
    return sum;
}

double weir_encoding_psnr(const struct weir_encoding *encoding,
                          const struct weir_rdo_result *result)
{
    uint64_t num_channels = 0;
    for (uint32_t i = 0; i < encoding->gpu.num_textures; i++) {
        num_channels += encoding->gpu.textures[i].num_channels;
    }
    return weir_rdo_psnr(result, num_channels * encoding->width * encoding->height);
}

// The list of encodings.

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
    return (encodings->params.on_resize != WEIR_RESIZE_NEW ||
            (format->width == encoding->width && format->height == encoding->height)) &&
           (!format->image || weir_encoder_reads(encoding->gpu.textures[0].encoder, format->image));
}

static void destroy(struct weir_encoding *encoding)
{
    weir_packer_destroy(&encoding->packer);
    finish_gpu(&encoding->gpu);
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
    encoding->movie = (struct weir_mux_format){
        .number = encodings->num,
        .width = (uint32_t)weir_round_up(format->width, unit),
        .height = (uint32_t)weir_round_up(format->height, unit),
        .nominal_size = (uint32_t)weir_movie_codec_frame_size(params->codec, format->width,
                                                              format->height),
    };
    if (format->image) {
        WEIR_TRY(init_gpu(&encoding->gpu, encodings, format, &packer));
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
