// SPDX-License-Identifier: MIT
// The picture of the viewer: a PNG file, or a zone plate.
#include "mips.h"

#include <math.h>
#include <png.h>

#include "report.h"

static bool make(struct gpu *gpu, uint32_t width, uint32_t height, struct input *input)
{
    *input = (struct input){width, height, {0}};
    return gpu_buffer_init(gpu, (VkDeviceSize)4 * width * height, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                           WEIR_GPU_MEMORY_HOST, &input->texels);
}

bool input_read(struct gpu *gpu, const char *path, uint32_t max_side, struct input *input)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path)) {
        return report("%s: %s", path, png.message);
    }
    png.format = PNG_FORMAT_RGBA;
    bool ok = (png.width <= max_side && png.height <= max_side) ||
              report("%s is %ux%u, above the limit of %ux%u", path, png.width, png.height, max_side,
                     max_side);
    ok = ok && make(gpu, png.width, png.height, input);
    if (ok && !png_image_finish_read(&png, NULL, input->texels.mapped, 0, NULL)) {
        ok = report("%s: %s", path, png.message);
    }
    png_image_free(&png);
    return ok;
}

bool input_draw(struct gpu *gpu, uint32_t width, uint32_t height, struct input *input)
{
    static const double dark[3] = {14, 22, 52}, light[3] = {255, 241, 214};
    if (!make(gpu, width, height, input)) {
        return false;
    }
    // The phase grows with the square of the distance, and so the frequency with the distance: half
    // a ring a texel, the most that texels hold, is reached in the corners.
    const double reach = hypot(width, height) / 2.0, pi = 3.14159265358979;
    uint8_t *texel = input->texels.mapped;
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x, texel += 4) {
            const double u = x + 0.5 - width / 2.0, v = y + 0.5 - height / 2.0;
            const double share = 0.5 + 0.5 * cos(pi * (u * u + v * v) / (2.0 * reach));
            for (int c = 0; c < 3; ++c) {
                texel[c] = (uint8_t)(dark[c] + (light[c] - dark[c]) * share + 0.5);
            }
            texel[3] = 255;
        }
    }
    return true;
}
