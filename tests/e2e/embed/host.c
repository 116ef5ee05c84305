// SPDX-License-Identifier: MIT
// A program of a foreign project: makes encoders of HAP Q and of BC7, and prints what comes of
// it. It has a library without BC7.
#include <stdio.h>
#include <weir/capture.h>
#include <weir/device.h>
#include <weir/encode.h>
#include <weir/gpu.h>

static int code; // of the last message

static void keep_code(void *user, const struct weir_log_message *message)
{
    (void)user;
    code = (int)message->code;
}

static void try_codec(weir_context *weir, const weir_image *image, enum weir_codec codec)
{
    code = 0;
    weir_encoder *encoder = NULL;
    const enum weir_result result = weir_encoder_create(
        weir, weir_encoder_params(.codec = codec, .like = image), &encoder);
    printf("%s: %s, %d\n", weir_codec_get_info(codec)->name, weir_result_name(result), code);
    weir_encoder_destroy(&encoder);
}

int main(void)
{
    weir_device *device = NULL;
    if (weir_device_create(weir_device_params(.index = 0), &device) < WEIR_OK) {
        return 77;
    }
    struct weir_context_params params = *weir_device_import(device);
    params.log = (struct weir_log){.print = keep_code, .least_severity = WEIR_LOG_ERROR};
    weir_context *weir = NULL;
    weir_context_create(&params, &weir);
    weir_gpu *gpu = NULL;
    weir_gpu_create(weir_gpu_params(.import = &params, .queue = params.graphics), &gpu);
    struct weir_gpu_image made = {0};
    weir_gpu_image_init(gpu,
                        weir_image_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 64,
                                          .height = 64, .usage = VK_IMAGE_USAGE_SAMPLED_BIT),
                        VK_SAMPLE_COUNT_1_BIT, &made);
    weir_image *image = NULL;
    weir_image_create(weir, &made.params, &image);
    try_codec(weir, image, WEIR_CODEC_YCOCG_BC3);
    try_codec(weir, image, WEIR_CODEC_BC7);
    weir_image_destroy(&image);
    weir_gpu_image_finish(gpu, &made);
    weir_gpu_destroy(&gpu);
    weir_context_destroy(&weir);
    weir_device_destroy(&device);
    weir_capture_close(NULL, NULL); // libweir-capture is linked too
    return 0;
}
