// SPDX-License-Identifier: MIT
// A level becomes a PNG or PFM file, and a part of the contact sheet, which has the largest level
// at the left, the others below each other at its right.
#include "capture/weir/mips/mips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <weir/pyramid.h>
#include <weir/still.h>

#include "capture/base/size.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"

enum { GAP = 4, BACKGROUND = 0x5a }; // a dark grey that neither black nor white disappears in
enum { MAX_NAME = 512 };             // a file's has 255 bytes at most

static VkExtent2D extent_of(const struct mips_sheet *sheet, uint32_t level)
{
    return weir_pyramid_level_extent(sheet->base_width, sheet->base_height, level);
}

// Get the position in the sheet of a level's texel (0, 0). False if the sheet does not show the
// level.
static bool place(const struct mips_sheet *sheet, uint32_t level, uint32_t *left, uint32_t *top)
{
    if (level < sheet->first_level || level >= sheet->num_levels) {
        return false;
    }
    *left = *top = GAP;
    if (level > sheet->first_level) {
        *left += extent_of(sheet, sheet->first_level).width + GAP;
    }
    for (uint32_t above = sheet->first_level + 1; above < level; above++) {
        *top += extent_of(sheet, above).height + GAP;
    }
    return true;
}

enum weir_result mips_sheet_init(struct mips_sheet *sheet, uint32_t width, uint32_t height,
                                 uint32_t num_levels)
{
    *sheet = (struct mips_sheet){
        .num_levels = num_levels, .base_width = width, .base_height = height};
    while (sheet->first_level + 1 < num_levels &&
           weir_max(extent_of(sheet, sheet->first_level).width,
                    extent_of(sheet, sheet->first_level).height) > MIPS_SHEET_MAX_SIDE) {
        sheet->first_level++;
    }
    for (uint32_t level = sheet->first_level; level < num_levels; level++) {
        uint32_t left = 0, top = 0;
        place(sheet, level, &left, &top);
        sheet->width = weir_max(sheet->width, left + extent_of(sheet, level).width + GAP);
        sheet->height = weir_max(sheet->height, top + extent_of(sheet, level).height + GAP);
    }
    const size_t size = (size_t)sheet->width * sheet->height * 3;
    sheet->pixels = malloc(size);
    if (!sheet->pixels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memset(sheet->pixels, BACKGROUND, size);
    return WEIR_OK;
}

void mips_sheet_finish(struct mips_sheet *sheet)
{
    free(sheet->pixels);
    *sheet = (struct mips_sheet){0};
}

// Draw row `y` of a level that is shown, from RGBA display codes. Alpha lets the background
// through.
static void draw(struct mips_sheet *sheet, uint32_t level, uint32_t y, const float *row,
                 bool has_alpha)
{
    uint32_t left, top;
    if (!place(sheet, level, &left, &top)) {
        return;
    }
    uint8_t *pixel = sheet->pixels + ((size_t)(top + y) * sheet->width + left) * 3;
    const uint32_t width = extent_of(sheet, level).width;
    for (uint32_t x = 0; x < width; x++, row += 4, pixel += 3) {
        const float alpha = has_alpha ? fminf(fmaxf(row[3], 0), 1) : 1;
        for (int c = 0; c < 3; c++) {
            const float value = fminf(fmaxf(row[c], 0), 1);
            pixel[c] = (uint8_t)lrintf(255 * value * alpha + BACKGROUND * (1 - alpha));
        }
    }
}

// A level in the making.
struct level {
    struct mips *mips;
    uint32_t number;
    struct cli_still still;
    struct cli_still alpha; // of a PFM file's second file; without pixels: there is none
    float *row;             // RGBA
};

static bool is_deep(const struct weir_pyramid_format_info *format)
{
    return format->texel_size / format->num_channels > 1 ||
           format->format == VK_FORMAT_A2B10G10R10_UNORM_PACK32;
}

// A PNG and the sheet hold display codes, a PFM file light; data is data everywhere.
static void take_row(void *user, uint32_t y, uint8_t *texels)
{
    const struct level *level = user;
    struct mips *mips = level->mips;
    const uint32_t width = level->still.width;
    weir_texel_unpack(mips->format, texels, width, level->row);
    if (level->still.value_size == 4) {
        cli_still_put_row(&level->still, y, level->row);
    }
    if (level->alpha.pixels) {
        cli_still_put_row(&level->alpha, y, level->row + 3);
    }
    weir_values_convert(level->row, width, mips->stored, WEIR_VALUES_SRGB);
    if (level->still.value_size != 4) {
        cli_still_put_row(&level->still, y, level->row);
    }
    if (mips->format->num_channels == 1) {
        for (uint32_t x = 0; x < width; x++) {
            level->row[4 * (size_t)x + 1] = level->row[4 * (size_t)x + 2] =
                level->row[4 * (size_t)x];
        }
    }
    draw(&mips->sheet, level->number, y, level->row, mips->has_alpha);
}

static enum weir_result write_file(const struct level *level, bool alpha, const char **name)
{
    struct mips *mips = level->mips;
    const struct mips_file *file;
    struct stat status;
    char text[MAX_NAME];
    snprintf(text, sizeof(text), "%s_level%02u%s", mips->name, level->number,
             alpha                          ? "_alpha.pfm"
             : level->still.value_size == 4 ? ".pfm"
                                            : ".png");
    WEIR_TRY(mips_files_add(&mips->files, text, &file));
    WEIR_TRY(cli_still_write(alpha ? &level->alpha : &level->still, file->temporary));
    *name = file->name;
    mips->levels[level->number].size += stat(file->temporary, &status) == 0
                                            ? (uint64_t)status.st_size
                                            : 0;
    return WEIR_OK;
}

static bool allocate(struct level *level)
{
    const bool has_alpha = level->still.value_size == 4 && level->mips->has_alpha;
    level->row = malloc((size_t)level->still.width * 4 * sizeof(*level->row));
    return level->row && cli_still_allocate(&level->still) &&
           (!has_alpha || cli_still_allocate(&level->alpha));
}

enum weir_result mips_write_level(struct mips *mips, uint32_t number)
{
    const struct weir_pyramid_format_info *format = mips->format;
    const VkExtent2D extent = weir_pyramid_level_extent(mips->picture.width, mips->picture.height,
                                                        number);
    struct level level = {
        .mips = mips,
        .number = number,
        .still = {.width = extent.width,
                  .height = extent.height,
                  .num_channels = format->num_channels == 1              ? 1
                                  : mips->has_alpha && !format->is_float ? 4
                                                                         : 3,
                  .value_size = format->is_float  ? 4
                                : is_deep(format) ? 2
                                                  : 1,
                  .is_data = mips->stored == WEIR_VALUES_DATA},
        .alpha = {extent.width, extent.height, .num_channels = 1, .value_size = 4},
    };
    struct mips_written *written = &mips->levels[number];
    *written = (struct mips_written){.width = extent.width, .height = extent.height};
    enum weir_result result = allocate(&level)
                                  ? cli_pyramid_download(&mips->run, number, take_row, &level)
                                  : cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for level %u",
                                             number);
    if (result == WEIR_OK) {
        result = write_file(&level, false, &written->file);
    }
    if (result == WEIR_OK && level.alpha.pixels) {
        result = write_file(&level, true, &written->alpha_file);
    }
    free(level.still.pixels);
    free(level.alpha.pixels);
    free(level.row);
    return result;
}

enum weir_result mips_write_sheet(struct mips *mips)
{
    const struct weir_still still = {
        .width = mips->sheet.width,
        .height = mips->sheet.height,
        .num_channels = 3,
        .pixels = mips->sheet.pixels,
        .is_data = mips->stored == WEIR_VALUES_DATA,
    };
    const struct mips_file *file;
    char text[MAX_NAME];
    snprintf(text, sizeof(text), "%s_levels.png", mips->name);
    WEIR_TRY(mips_files_add(&mips->files, text, &file));
    mips->sheet_file = file->name;
    return weir_still_write_png(file->temporary, &still, &cli_log);
}
