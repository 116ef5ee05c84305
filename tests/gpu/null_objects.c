// SPDX-License-Identifier: MIT
// A device and an object of each kind on it, whose context has a log that is heard.
#include "tests/gpu/null_objects.h"

static void make_objects(struct nulls *n)
{
    const struct weir_gpu_image *output = &n->written;
    struct weir_context_params params = *n->harness.import;
    params.log = n->log = heard_log(&n->heard);
    TEST_MUST(weir_context_create(&params, &n->context));
    const struct weir_image_params of_image = n->texels.params;
    const struct weir_image_params of_output = output->params;
    TEST_MUST(weir_image_create(n->context, &of_image, &n->image));
    TEST_MUST(weir_image_create(n->context, &of_output, &n->output));
    TEST_MUST(weir_buffer_create(
        n->context, weir_buffer_params(.buffer = n->raw.buffer, .size = 256), &n->buffer));
    TEST_MUST(weir_encoder_create(n->context, weir_encoder_params(.like = n->image), &n->encoder));
    TEST_MUST(weir_rdo_create(n->context, weir_rdo_params(.like = n->image), &n->rdo));
    TEST_MUST(weir_snappy_create(n->context, weir_snappy_params(.size = 64), &n->snappy));
    TEST_MUST(weir_palette_create(
        n->context, weir_palette_params(.like = n->image, .max_colors = 1), &n->palette));
    TEST_MUST(weir_pyramid_create(n->context, weir_pyramid_params(.format = output->params.format),
                                  &n->pyramid));
    const weir_image *const images[] = {n->output};
    TEST_MUST(weir_pyramid_target_create(n->pyramid, weir_pyramid_target_params(.images = images),
                                         &n->target));
    TEST_MUST(weir_mips_create(n->context, weir_mips_params(.max_in_flight = 1), &n->mips));
    TEST_MUST(weir_preview_create(
        n->context, weir_preview_params(.like = n->image, .num_levels = 1), &n->preview));
    TEST_MUST(weir_readback_create(n->context, weir_readback_params(.size = 64), &n->readback));
    TEST_MUST(weir_capture_open(
        n->context, weir_capture_params(.sink = WEIR_SINK_NULL, .like = n->image), &n->capture));
    n->heard.num = 0;
}

static void destroy_objects(struct nulls *n)
{
    weir_capture_close(&n->capture, NULL);
    weir_readback_destroy(&n->readback);
    weir_preview_destroy(&n->preview);
    weir_mips_destroy(&n->mips);
    weir_pyramid_target_destroy(&n->target);
    weir_pyramid_destroy(&n->pyramid);
    weir_palette_destroy(&n->palette);
    weir_snappy_destroy(&n->snappy);
    weir_rdo_destroy(&n->rdo);
    weir_encoder_destroy(&n->encoder);
    weir_buffer_destroy(&n->buffer);
    weir_image_destroy(&n->output);
    weir_image_destroy(&n->image);
    weir_context_destroy(&n->context);
}

void nulls_init(struct nulls *n)
{
    static const uint8_t texels[12 * 8 * 4];
    *n = (struct nulls){.context = NULL};
    harness_init(&n->harness, true);
    harness_image_init(&n->harness, VK_FORMAT_R8G8B8A8_UNORM, 12, 8, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &n->texels);
    harness_image_init(&n->harness, VK_FORMAT_R8G8B8A8_UNORM, 12, 8,
                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &n->written);
    harness_buffer_init(&n->harness, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &n->raw);
    make_objects(n);
    n->cmd = harness_begin(&n->harness);
}

int nulls_finish(struct nulls *n)
{
    harness_submit(&n->harness, n->cmd, NULL, 0);
    destroy_objects(n);
    harness_buffer_finish(&n->harness, &n->raw);
    harness_image_finish(&n->harness, &n->written);
    harness_image_finish(&n->harness, &n->texels);
    return harness_finish(&n->harness);
}
