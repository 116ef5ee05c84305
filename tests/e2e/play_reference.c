// SPDX-License-Identifier: MIT
// play_reference MOVIE FRAME: decodes a frame of a HAP movie that was closed, on the processor, in
// double precision, and compares it with RGBA of 8 bits on the standard input. Prints the largest
// difference of a colour, and of alpha.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/files/block/block.h"
#include "capture/movie/hap.h"
#include "capture/movie/read.h"

static FILE *file;

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)user;
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, size, file) == size;
}

static VkFormat format_of(enum weir_hap_texture type)
{
    return type == WEIR_HAP_RGB_BC1           ? VK_FORMAT_BC1_RGB_UNORM_BLOCK
           : type == WEIR_HAP_ALPHA_BC4       ? VK_FORMAT_BC4_UNORM_BLOCK
           : type == WEIR_HAP_RGBA_BC7        ? VK_FORMAT_BC7_UNORM_BLOCK
           : type == WEIR_HAP_RGB_BC6H        ? VK_FORMAT_BC6H_UFLOAT_BLOCK
           : type == WEIR_HAP_RGB_BC6H_SIGNED ? VK_FORMAT_BC6H_SFLOAT_BLOCK
                                              : VK_FORMAT_BC3_UNORM_BLOCK;
}

static double limit(double x)
{
    return fmin(fmax(x, 0), 1);
}

// Make colours of a texel of a texture: HAP's formula, and sRGB's for light.
static void convert(enum weir_hap_texture type, const float texel[4], uint32_t index,
                    double color[4])
{
    for (int c = 0; c < 3; c++) {
        const double x = limit(texel[c]);
        color[c] = type == WEIR_HAP_ALPHA_BC4                                      ? texel[0]
                   : type != WEIR_HAP_RGB_BC6H && type != WEIR_HAP_RGB_BC6H_SIGNED ? x
                   : x <= 0.0031308                                                ? 12.92 * x
                                    : 1.055 * pow(x, 1 / 2.4) - 0.055;
    }
    color[3] = index == 0 && type != WEIR_HAP_RGBA_BC3 && type != WEIR_HAP_RGBA_BC7 ? 1 : texel[3];
    if (type == WEIR_HAP_YCOCG_BC3) {
        const double scale = floor((double)texel[2] * 255 / 8 + 0.5) + 1, y = texel[3];
        const double co = (texel[0] - 128.0 / 255) / scale, cg = (texel[1] - 128.0 / 255) / scale;
        color[0] = limit(y + co - cg);
        color[1] = limit(y + cg);
        color[2] = limit(y - co - cg);
    }
}

static bool decode(struct weir_view *view, const struct weir_hap_section_found *found,
                   uint32_t index, uint32_t width, uint32_t height, double (*colors)[4])
{
    const enum weir_hap_texture type = (enum weir_hap_texture)(found->type & 0x0f);
    const struct weir_block_format *format = weir_block_get_format(format_of(type));
    const uint64_t size = weir_hap_texture_size(type, width, height);
    struct weir_hap_unpacker unpacker = {.view = view};
    uint8_t *blocks = malloc(size);
    const bool ok = blocks && weir_hap_unpack(&unpacker, found, blocks, size) == WEIR_OK;
    const uint32_t across = (width + 3) / 4;
    for (uint32_t i = 0; ok && i < size / format->block_size; i++) {
        float texels[16][4];
        weir_block_decode(format, blocks + (size_t)i * format->block_size, texels);
        for (uint32_t t = 0; t < 16; t++) {
            const uint32_t x = i % across * 4 + t % 4, y = i / across * 4 + t / 4;
            double color[4];
            if (x < width && y < height && index == 0) {
                convert(type, texels[t], index, colors[(size_t)y * width + x]);
            } else if (x < width && y < height) {
                convert(type, texels[t], index, color);
                colors[(size_t)y * width + x][3] = color[0];
            }
        }
    }
    free(blocks);
    free(unpacker.packed);
    return ok;
}

int main(int argc, char **argv)
{
    struct weir_view view;
    struct weir_movie_found found;
    struct weir_hap_frame frame;
    file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        return 2;
    }
    const struct weir_view_source source = {.read = read_file, .size = (uint64_t)ftell(file)};
    if (!weir_view_init(&view, &source, 65536) || weir_movie_read(&view, &found) != WEIR_OK ||
        weir_movie_read_tables(&view, found.tracks, &found.movie) != WEIR_OK) {
        return 2;
    }
    const struct weir_piece *piece = weir_piece_first(&found.movie, 0);
    for (int i = atoi(argv[2]); piece && i > 0; i--) {
        piece = weir_piece_next(&found.movie, piece);
    }
    const uint32_t width = found.movie.pictures.width, height = found.movie.pictures.height;
    double(*colors)[4] = calloc((size_t)width * height, sizeof(*colors));
    double most[2] = {0};
    bool ok = piece && colors &&
              weir_hap_frame_read(&view, piece->offset, piece->offset + piece->size, &frame);
    for (uint32_t i = 0; ok && i < frame.num_textures; i++) {
        ok = decode(&view, &frame.textures[i], i, width, height, colors);
    }
    for (size_t i = 0; ok && i < (size_t)width * height * 4; i++) {
        const int code = getchar();
        ok = code != EOF;
        most[i % 4 == 3] = fmax(most[i % 4 == 3], fabs(colors[i / 4][i % 4] * 255 - code));
    }
    ok = ok && getchar() == EOF;
    printf("%.2f %.2f\n", most[0], most[1]);
    free(colors);
    weir_movie_finish(&found.movie);
    weir_view_finish(&view);
    fclose(file);
    return ok ? 0 : 1;
}
