// SPDX-License-Identifier: MIT
// Writes a PNG file of any size in black, which takes next to nothing: e2e_wide_png WIDTH HEIGHT
// FILE
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    const png_uint_32 width = (png_uint_32)strtoul(argv[1], NULL, 10);
    const png_uint_32 height = (png_uint_32)strtoul(argv[2], NULL, 10);
    FILE *file = fopen(argv[3], "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_bytep row = calloc(width / 8 + 1, 1);
    if (!file || !info || !row || setjmp(png_jmpbuf(png))) {
        perror(argv[3]);
        return 1;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (png_uint_32 y = 0; y < height; y++) {
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(row);
    return fclose(file) == 0 ? 0 : 1;
}
