// SPDX-License-Identifier: MIT
// What makes the blocks of images: an encoder, and an optimiser behind it.
#include "capture/weir/gpu/coder.h"

static enum weir_result init(struct cli_gpu *gpu, const struct weir_encoder_params *params,
                             uint32_t quality, struct cli_coder *coder)
{
    const enum weir_result result = weir_encoder_create(gpu->context, params, &coder->encoder);
    if (result != WEIR_OK || quality == CLI_QUALITY_UNCHANGED) {
        return result;
    }
    return weir_rdo_create(gpu->context,
                           weir_rdo_params(.codec = params->codec, .like = params->like,
                                           .no_dither = params->no_dither,
                                           .bc4_alpha = params->bc4_alpha,
                                           .bc7_alpha_unread = params->bc7_alpha_unread,
                                           .steady = params->steady, .control = true),
                           &coder->rdo);
}

enum weir_result cli_coder_init(struct cli_gpu *gpu, VkFormat format,
                                const struct weir_encoder_params *params, uint32_t quality,
                                struct cli_coder *coder)
{
    *coder = (struct cli_coder){.codec = params->codec, .lambda = weir_rdo_lambda(quality)};
    struct cli_image like;
    enum weir_result result = cli_image_init(
        gpu, weir_image_params(.format = format, .width = 1, .height = 1), &like);
    if (result == WEIR_OK) {
        struct weir_encoder_params complete = *params;
        complete.like = like.weir;
        result = init(gpu, &complete, quality, coder);
        cli_image_finish(gpu, &like);
    }
    return result;
}

void cli_coder_finish(struct cli_coder *coder)
{
    weir_rdo_destroy(&coder->rdo);
    weir_encoder_destroy(&coder->encoder);
    *coder = (struct cli_coder){0};
}
