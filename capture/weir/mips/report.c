// SPDX-License-Identifier: MIT
// The report of weir mips on a pyramid: lines, and JSON.
#include "capture/weir/mips/mips.h"

#include <math.h>

#include <weir/version.h>

#include "capture/base/json.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"

const char *const mips_values_names[] = {
    [WEIR_VALUES_SRGB] = "srgb",
    [WEIR_VALUES_LINEAR] = "linear",
    [WEIR_VALUES_DATA] = "data",
    NULL,
};

// The meaning of the picture's values.
static const char *values_text(const struct mips *mips)
{
    static const char *const texts[] = {
        [WEIR_VALUES_SRGB] = "sRGB codes, reduced in linear light",
        [WEIR_VALUES_LINEAR] = "linear light",
        [WEIR_VALUES_DATA] = "data, reduced as it is",
    };
    return texts[mips->values];
}

static void print_level(const struct mips_written *level, FILE *out)
{
    char size[32];
    snprintf(size, sizeof(size), "%ux%u", level->width, level->height);
    cli_print(out, "%11s  %10.3f MB  %s%s%s\n", size, (double)level->size / 1e6, level->file,
              level->alpha_file ? ", " : "", level->alpha_file ? level->alpha_file : "");
}

// What made the levels.
static const char *method_text(const struct mips *mips)
{
    return mips->run.params.by_host ? "processor"
                                    : weir_pyramid_method_get_info(mips->run.params.method)->name;
}

static const char *filter_text(const struct mips *mips)
{
    return cli_filter_names[mips->options->level.filter];
}

void mips_report_print(const struct mips *mips, FILE *out)
{
    for (uint32_t i = 0; i < mips->num_levels; i++) {
        print_level(&mips->levels[i], out);
    }
    char size[32], from[32] = "";
    snprintf(size, sizeof(size), "%ux%u", mips->sheet.width, mips->sheet.height);
    if (mips->sheet.first_level > 0) {
        snprintf(from, sizeof(from), ", from level %u on", mips->sheet.first_level);
    }
    cli_print(out, "%11s  %13s  %s (all levels%s)\n", size, "", mips->sheet_file, from);
    const struct cli_pyramid *run = &mips->run;
    const bool one = run->num_dispatches == 1;
    const char *work = run->params.method == WEIR_PYRAMID_BLIT ? one ? "blit" : "blits"
                       : one                                   ? "dispatch"
                                                               : "dispatches";
    cli_print(out, "%s: %u level%s of %s, %s by %s", mips->folder, mips->num_levels,
              mips->num_levels == 1 ? "" : "s", mips->format->name,
              weir_pyramid_reduction_get_info(run->params.reduction)->name, method_text(mips));
    if (run->params.by_host) {
        fprintf(out, ", %s filter", filter_text(mips));
    } else {
        fprintf(out, ", %u %s", run->num_dispatches, work);
    }
    if (run->gpu_ns > 0 && run->num_dispatches > 0) {
        fprintf(out, ", %.3f ms", run->gpu_ns / 1e6);
    }
    fprintf(out, " on %s; the picture is %s%s\n", mips->gpu.properties.deviceName,
            values_text(mips), mips->options->alpha == MIPS_ALPHA_DATA ? "; alpha is data" : "");
}

static void write_levels(struct weir_json *json, const struct mips *mips)
{
    weir_json_begin_array(json, "levels");
    for (uint32_t i = 0; i < mips->num_levels; i++) {
        const struct mips_written *level = &mips->levels[i];
        weir_json_begin_object(json, NULL);
        weir_json_integer(json, "level", i);
        weir_json_integer(json, "width", level->width);
        weir_json_integer(json, "height", level->height);
        weir_json_text(json, "file", level->file);
        weir_json_text(json, "alpha_file", level->alpha_file);
        weir_json_integer(json, "bytes", level->size);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static void write_all(struct weir_json *json, const void *user)
{
    const struct mips *mips = user;
    const struct cli_pyramid *run = &mips->run;
    weir_json_begin_object(json, NULL);
    weir_json_text(json, "version", weir_version());
    weir_json_text(json, "device", mips->gpu.properties.deviceName);
    weir_json_text(json, "driver", mips->gpu.driver);
    weir_json_text(json, "input", mips->input);
    weir_json_text(json, "input_pixels", mips->picture.pixels);
    weir_json_text(json, "values", mips_values_names[mips->values]);
    weir_json_text(json, "folder", mips->folder);
    weir_json_text(json, "format", mips->format->name);
    weir_json_text(json, "method", method_text(mips));
    weir_json_text(json, "filter", filter_text(mips));
    weir_json_text(json, "reduction", weir_pyramid_reduction_get_info(run->params.reduction)->name);
    weir_json_bool(json, "exact_srgb", run->params.exact_srgb);
    weir_json_integer(json, "dispatches", run->num_dispatches);
    weir_json_number(json, "gpu_ms",
                     run->timer.queries != VK_NULL_HANDLE ? run->gpu_ns / 1e6 : NAN);
    write_levels(json, mips);
    weir_json_text(json, "sheet", mips->sheet_file);
    weir_json_integer(json, "sheet_first_level", mips->sheet.first_level);
    weir_json_end_object(json);
}

enum weir_result mips_report_write_json(const struct mips *mips, const char *path)
{
    return cli_file_write_json(path, write_all, mips);
}
