// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of blocks: the kernel of a codec, specialised for the encoding of
// the source.
#include <weir/rdo.h>

#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/size.h"
#include "frame/buffer.h"
#include "frame/image.h"
#include "kernels.h"
#include "shaders/rdo/constants.h"
#include "vk/barrier.h"
#include "vk/context.h"
#include "vk/pipeline.h"

enum {
    DEFAULT_QUALITY = 80,
    MAX_QUALITY = 100,
    NEEDED_SHARED = 32768, // kernels have 14 to 19 KiB, as a device lays them out
};

struct push {
#include "shaders/rdo/push.glsl"
};

struct weir_rdo {
    weir_context *context;
    struct weir_rdo_params params;
    const struct weir_codec_info *codec;
    struct weir_source_format source;
    struct weir_vk_pipeline pipeline;
};

// Of codecs with weir_codec_info.has_rdo.
static const struct weir_vk_kernel *const kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = &weir_kernel_rdo_ycocg_bc3,
    [WEIR_CODEC_BC1] = &weir_kernel_rdo_bc1,
    [WEIR_CODEC_BC3] = &weir_kernel_rdo_bc3,
    [WEIR_CODEC_BC4] = &weir_kernel_rdo_bc4,
    [WEIR_CODEC_BC5] = &weir_kernel_rdo_bc5,
    [WEIR_CODEC_BC7] = &weir_kernel_rdo_bc7,
};

// True if the encoder of a codec dithers sources of more than 8 bits: those of BC4 and BC5 round.
static bool may_dither(enum weir_codec codec)
{
    return codec != WEIR_CODEC_BC4 && codec != WEIR_CODEC_BC5;
}

static enum weir_result check_codec(weir_rdo *rdo)
{
    const struct weir_rdo_params *params = &rdo->params;
    const struct weir_log *log = &rdo->context->log;
    rdo->codec = weir_codec_get_info(params->codec);
    WEIR_FAIL_IF(!rdo->codec, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "codec %d is not a weir_codec", (int)params->codec);
    WEIR_FAIL_IF(!rdo->codec->has_rdo, log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "codec %s has no rate-distortion optimisation: use ycocg_bc3, bc1, bc3, "
                 "bc4, bc5 or bc7",
                 rdo->codec->name);
    return WEIR_OK;
}

static enum weir_result check_device(const weir_rdo *rdo)
{
    const VkPhysicalDeviceLimits *limits = &rdo->context->limits;
    return limits->maxComputeSharedMemorySize >= NEEDED_SHARED
               ? WEIR_OK
               : weir_fail(&rdo->context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                           "this device has maxComputeSharedMemorySize %u: rate-distortion "
                           "optimisation needs %d; use quality 100",
                           limits->maxComputeSharedMemorySize, NEEDED_SHARED);
}

static enum weir_result check_params(weir_rdo *rdo)
{
    struct weir_rdo_params *params = &rdo->params;
    const struct weir_log *log = &rdo->context->log;
    WEIR_TRY(check_codec(rdo));
    if (params->quality == 0) {
        params->quality = DEFAULT_QUALITY;
    }
    WEIR_FAIL_IF(params->quality > MAX_QUALITY, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "quality %u is outside 1 to %d", params->quality, MAX_QUALITY);
    WEIR_TRY(weir_image_check_like(params->like, log, "weir_rdo_params", &rdo->source));
    WEIR_FAIL_IF(rdo->source.encoding == WEIR_SOURCE_SNORM8, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FORMAT, "codec %s is unsigned and does not read VkFormat %d",
                 rdo->codec->name, (int)rdo->source.format);
    return WEIR_OK;
}

static enum weir_result rdo_init(weir_rdo *rdo)
{
    weir_context *context = rdo->context;
    WEIR_TRY(weir_context_check_lost(context));
    WEIR_TRY(check_device(rdo));
    WEIR_TRY(check_params(rdo));
    const uint32_t constants[WEIR_RDO_NUM_CONSTANTS] = {
        [WEIR_RDO_CONSTANT_SOURCE_KIND] = rdo->source.encoding,
        [WEIR_RDO_CONSTANT_DITHER] = !rdo->params.no_dither && may_dither(rdo->codec->codec),
        [WEIR_RDO_CONSTANT_STEADY] = rdo->params.steady,
        [WEIR_RDO_CONSTANT_CONTROL] = rdo->params.control,
        [WEIR_RDO_CONSTANT_BC4_ALPHA] = rdo->params.bc4_alpha,
        [WEIR_RDO_CONSTANT_BC7_ALPHA_UNREAD] = rdo->params.bc7_alpha_unread,
        [WEIR_RDO_CONSTANT_TEXTURE] = rdo->params.texture && !rdo->params.steady &&
                                      rdo->codec->codec == WEIR_CODEC_BC1,
    };
    const VkDescriptorSetLayout set_layouts[WEIR_RDO_NUM_SETS] = {
        [WEIR_RDO_SET_SOURCE] = context->image_set_layout,
        [WEIR_RDO_SET_BUFFER] = context->buffer_set_layout,
        [WEIR_RDO_SET_HISTORY] = context->buffer_set_layout,
        [WEIR_RDO_SET_CONTROL] = context->buffer_set_layout,
    };
    const enum weir_result result = weir_vk_pipeline_init(
        context,
        &(struct weir_vk_pipeline_params){
            .kernel = kernels[rdo->codec->codec],
            .constants = constants,
            .num_constants = WEIR_RDO_NUM_CONSTANTS,
            .push_constants_size = sizeof(struct push),
            .set_layouts = set_layouts,
            .num_set_layouts = WEIR_RDO_NUM_SETS,
            .tag = rdo->params.debug_tag,
        },
        &rdo->pipeline);
    rdo->params.codec = rdo->codec->codec;
    rdo->params.like = NULL;
    rdo->params.debug_tag = NULL;
    return result;
}

enum weir_result weir_rdo_create(weir_context *context, const struct weir_rdo_params *params,
                                 weir_rdo **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    weir_rdo *rdo = weir_object_alloc(context, WEIR_OBJECT_RDO, sizeof(*rdo));
    if (!rdo) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *rdo = (weir_rdo){.context = context, .params = *params};
    const enum weir_result result = rdo_init(rdo);
    if (result != WEIR_OK) {
        weir_rdo_destroy(&rdo);
    }
    *out = rdo;
    return result;
}

void weir_rdo_destroy(weir_rdo **rdo)
{
    if (!rdo || !*rdo) {
        return;
    }
    weir_vk_pipeline_finish((*rdo)->context, &(*rdo)->pipeline);
    weir_object_free((*rdo)->context, WEIR_OBJECT_RDO, *rdo);
    *rdo = NULL;
}

struct weir_rdo_params weir_rdo_get_params(const weir_rdo *rdo)
{
    return rdo ? rdo->params : (struct weir_rdo_params){0};
}

// Check a buffer that must not be one of the others.
static enum weir_result check_apart(const weir_rdo *rdo, const char *name,
                                    const weir_buffer *buffer, const weir_buffer *other,
                                    const char *other_name)
{
    return buffer && buffer == other
               ? weir_fail(&rdo->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                           "weir_rdo_run.%s is weir_rdo_run.%s: it must be a buffer of its own",
                           name, other_name)
               : WEIR_OK;
}

static enum weir_result check_history(const weir_rdo *rdo, const struct weir_rdo_run *run,
                                      uint64_t size)
{
    if (!rdo->params.steady) {
        return WEIR_OK;
    }
    WEIR_TRY(check_apart(rdo, "history", run->history, run->buffer, "buffer"));
    return weir_buffer_check_room(run->history, rdo->context, "weir_rdo_run.history",
                                  run->history_offset, size, rdo->codec->block_size);
}

static enum weir_result check_control(const weir_rdo *rdo, const struct weir_rdo_run *run)
{
    if (!rdo->params.control) {
        return WEIR_OK;
    }
    WEIR_TRY(check_apart(rdo, "control", run->control, run->buffer, "buffer"));
    if (rdo->params.steady) {
        WEIR_TRY(check_apart(rdo, "control", run->control, run->history, "history"));
    }
    const struct weir_image_params *image = &run->source->params;
    return weir_buffer_check_room(
        run->control, rdo->context, "weir_rdo_run.control", run->control_offset,
        weir_rdo_control_size(image->width, image->height), WEIR_RDO_VECTOR_SIZE);
}

static enum weir_result check_run(const weir_rdo *rdo, const struct weir_rdo_run *run)
{
    WEIR_TRY(
        weir_image_check_source(run->source, rdo->context, "weir_rdo_run.source", &rdo->source));
    const struct weir_image_params *image = &run->source->params;
    const uint64_t size = weir_codec_image_size(rdo->params.codec, image->width, image->height);
    WEIR_TRY(weir_buffer_check_room(run->buffer, rdo->context, "weir_rdo_run.buffer", run->offset,
                                    size, rdo->codec->block_size));
    WEIR_TRY(check_history(rdo, run, size));
    return check_control(rdo, run);
}

static void record(const weir_rdo *rdo, VkCommandBuffer cmd, const struct weir_rdo_run *run)
{
    const struct weir_vk_functions *vk = &rdo->context->vk;
    const struct weir_image_params *image = &run->source->params;
    const struct push push = {
        .size = {image->width, image->height},
        .columns = weir_divide_up(image->width, rdo->codec->block_width),
        .rows = weir_divide_up(image->height, rdo->codec->block_height),
        .first_block = (uint32_t)(run->offset / rdo->codec->block_size),
        .lambda = (int32_t)weir_rdo_lambda(rdo->params.quality),
        .first_in_history = (uint32_t)(run->history_offset / rdo->codec->block_size),
        .first_in_control = (uint32_t)(run->control_offset / WEIR_RDO_VECTOR_SIZE),
    };
    const VkDescriptorSet sets[WEIR_RDO_NUM_SETS] = {
        [WEIR_RDO_SET_SOURCE] = run->source->set.set,
        [WEIR_RDO_SET_BUFFER] = run->buffer->set.set,
        [WEIR_RDO_SET_HISTORY] = (rdo->params.steady ? run->history : run->buffer)->set.set,
        [WEIR_RDO_SET_CONTROL] = (rdo->params.control ? run->control : run->buffer)->set.set,
    };
    // The encoder writes the blocks, an earlier run or a transfer the history.
    if (!run->no_barrier) {
        weir_vk_barrier(rdo->context, cmd, weir_vk_all_writes, weir_vk_kernel_accesses);
    }
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, rdo->pipeline.pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, rdo->pipeline.layout, 0,
                              WEIR_RDO_NUM_SETS, sets, 0, NULL);
    vk->CmdPushConstants(cmd, rdo->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push),
                         &push);
    vk->CmdDispatch(cmd, weir_divide_up(push.columns, WEIR_RDO_TILE_SIDE),
                    weir_divide_up(push.rows, WEIR_RDO_TILE_SIDE), 1);
}

enum weir_result weir_cmd_rdo(const weir_rdo *rdo, VkCommandBuffer cmd,
                              const struct weir_rdo_run *run)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(rdo ? &rdo->context->log : NULL, rdo, cmd, run));
    WEIR_TRY(check_run(rdo, run));
    if (rdo->params.quality == MAX_QUALITY && !rdo->params.control) {
        return WEIR_OK;
    }
    weir_vk_label_begin(rdo->context, cmd, "rdo");
    record(rdo, cmd, run);
    weir_vk_label_end(rdo->context, cmd);
    return WEIR_OK;
}

// The control of an optimiser: lambda for the kernel, and what the kernel reports of a frame.

#define MAX_PSNR 100.0
#define BLOCK_SIDE 4 // [texels]

// What a tile has come to, as the kernel writes it.
struct tile {
    uint32_t error_low, error_high, num_bytes, reserved;
};
WEIR_ASSERT_SIZE(struct tile, WEIR_RDO_VECTOR_SIZE);
WEIR_ASSERT_SIZE(struct weir_rdo_control, WEIR_RDO_CONTROL_HEAD *WEIR_RDO_VECTOR_SIZE);

uint32_t weir_rdo_lambda(double quality)
{
    const double lost = fmin(fmax(100 - quality, 0), 99);
    return (uint32_t)(lost * lost * 16 / 40);
}

static uint64_t num_tiles(uint32_t width, uint32_t height)
{
    const uint32_t side = BLOCK_SIDE * WEIR_RDO_TILE_SIDE;
    return weir_divide_up(width, side) * weir_divide_up(height, side);
}

uint64_t weir_rdo_control_size(uint32_t width, uint32_t height)
{
    const uint64_t num = num_tiles(width, height);
    return num > 0 ? sizeof(struct weir_rdo_control) + num * sizeof(struct tile) : 0;
}

struct weir_rdo_result weir_rdo_get_result(const void *control, uint32_t width, uint32_t height)
{
    struct weir_rdo_result result = {0, 0};
    const uint8_t *tiles = control ? (const uint8_t *)control + sizeof(struct weir_rdo_control)
                                   : NULL;
    const uint64_t num = control ? num_tiles(width, height) : 0;
    for (uint64_t i = 0; i < num; i++) {
        struct tile tile;
        memcpy(&tile, tiles + i * sizeof(tile), sizeof(tile));
        result.squared_error += tile.error_low + ((uint64_t)tile.error_high << 32);
        result.num_bytes += tile.num_bytes;
    }
    return result;
}

double weir_rdo_psnr(const struct weir_rdo_result *result, uint64_t num_samples)
{
    if (!result || result->squared_error == 0) {
        return MAX_PSNR;
    }
    const double peak = 255.0 * 255.0 * 16;
    const double psnr = 10 * log10(peak * (double)num_samples / (double)result->squared_error);
    return fmin(psnr, MAX_PSNR);
}
