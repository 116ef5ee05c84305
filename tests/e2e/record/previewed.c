// SPDX-License-Identifier: MIT
// e2e_previewed WIDTH HEIGHT NUMBER FILE: write the blocks that a host gets as the preview of a
// frame of e2e_present.
#include <stdio.h>
#include <stdlib.h>
#include <weir/capture.h>

#include "picture.h"
#include "tests/capture/fixture.h"

static void show(void *user, const struct weir_preview_picture *picture)
{
    const uint64_t size = weir_codec_image_size(WEIR_CODEC_BC1, picture->width, picture->height);
    fwrite(picture->blocks, 1, size, user);
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct fixture_image image;
    weir_capture *capture = NULL;
    const uint32_t width = (uint32_t)atoi(argv[argc - 4]), height = (uint32_t)atoi(argv[argc - 3]);
    uint8_t *bgra = malloc((size_t)width * height * 4);
    FILE *file = fopen(argv[argc - 1], "wb");
    for (unsigned i = 0; i < PICTURE_RECTS; i++) {
        const struct picture_rect part = picture_rect(width, height, (uint32_t)atoi(argv[argc - 2]),
                                                      i);
        for (uint32_t at = 0; at < part.width * part.height; at++) {
            uint8_t *texel = bgra + 4 * ((size_t)(part.y + at / part.width) * width + part.x +
                                         at % part.width);
            for (int c = 0; c < 4; c++) {
                texel[c] = c == 3 ? 255 : part.codes[2 - c];
            }
        }
    }
    harness_init(&harness, true);
    fixture_image_init(&harness, VK_FORMAT_B8G8R8A8_UNORM, width, height,
                       VK_IMAGE_USAGE_SAMPLED_BIT, bgra, 4, &image);
    const enum weir_result opened = weir_capture_open(
        harness.context,
        weir_capture_params(.sink = WEIR_SINK_NULL, .policy = WEIR_POLICY_WAIT, .like = image.image,
                            .preview = {.show = show, .user = file}),
        &capture);
    test_expect(opened == WEIR_OK, "%s", weir_result_name(opened));
    fixture_send_image(&harness, capture, &image, 0);
    test_expect(weir_capture_close(&capture, NULL) == WEIR_OK, "the end");
    fixture_image_finish(&harness, &image);
    free(bgra);
    test_expect(fclose(file) == 0, "%s", argv[argc - 1]);
    return harness_finish(&harness);
}
