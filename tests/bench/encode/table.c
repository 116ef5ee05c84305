// SPDX-License-Identifier: MIT
// The results of weir-bench encode as a table.
#include <inttypes.h>
#include <math.h>

#include "capture/weir/common/program.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/encode/encode.h"

#include <weir/version.h>

void bench_table_head(FILE *out, const struct bench_result *result)
{
    const struct cli_gpu *gpu = result->gpu;
    fprintf(out, "weir %s (%s), %s, %s, %s\n", weir_version(), cli_build_commit,
            result->options->codecs, gpu->properties.deviceName, gpu->driver);
    fprintf(out, "queue family %u, %s\n", gpu->queue.family,
            result->async ? "asynchronous" : "shared with graphics");
}

static void print_times(FILE *out, const struct bench_size *size, const struct bench_kernel *kernel,
                        const struct bench_times *times, const struct bench_times *floor,
                        const char *cache)
{
    const double pixels = (double)size->width * size->height;
    fprintf(out, "  %-7s %-5s %10.1f %10.1f %10.1f %9.2f %9.1f %8.2f\n", kernel->name, cache,
            times->min, times->median, times->p95, pixels / times->median / 1e3,
            kernel->bytes / times->median / 1e3, times->median / floor->median);
}

static void print_kernel(FILE *out, const struct bench_size *size,
                         const struct bench_kernel *kernel, const struct bench_kernel *floor)
{
    print_times(out, size, kernel, &kernel->cold, &floor->cold, "cold");
    print_times(out, size, kernel, &kernel->hot, &floor->hot, "hot");
}

static void print_forms(FILE *out, const struct bench_base *base)
{
    fprintf(out, "  (floor: %s; blocks: %s; copy: a plain copy of the image)\n", base->floor.form,
            base->blocks.form);
}

static const char *quality_text(const struct bench_quality *quality, char *text, size_t size)
{
    if (quality->num_pictures == 0) {
        snprintf(text, size, "-");
    } else if (quality->is_log_error) {
        snprintf(text, size, "%.4f log %s", quality->value, quality->channels);
    } else if (isinf(quality->value)) {
        snprintf(text, size, "lossless %s", quality->channels);
    } else {
        snprintf(text, size, "%.2f dB %s", quality->value, quality->channels);
    }
    return text;
}

// Print notes on the measure of quality and its pictures.
static void print_quality_notes(FILE *out, const struct bench_result *result)
{
    uint32_t num_pictures = 0;
    bool generated = false, log_error = false;
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_quality *quality = &result->rows[i].quality;
        if (!quality->generated && quality->num_pictures > num_pictures) {
            num_pictures = quality->num_pictures;
        }
        generated = generated || quality->generated;
        log_error = log_error || quality->is_log_error;
    }
    if (result->options->steady) {
        fputs("  (steady, where a codec has that: times with a history in which nothing is kept; "
              "quality of a first frame)\n",
              out);
    }
    if (result->options->quality != 0) {
        fprintf(out,
                "  (quality %u of rate-distortion optimisation, where a codec has that: times with "
                "it, streams with Snappy; dB without it)\n",
                (unsigned)result->options->quality);
    }
    if (log_error) {
        fputs("  (log: the RMS of the differences of ln(1 + x))\n", out);
    }
    if (num_pictures > 0) {
        fprintf(out,
                "  (quality: mean of %s%u picture%s; times: of images that these fill side by "
                "side%s)\n",
                generated ? "up to " : "", num_pictures, num_pictures == 1 ? "" : "s",
                generated ? "; where none fits, of the generated picture" : "");
    } else if (generated) {
        fputs("  (quality and times: of the generated picture)\n", out);
    }
}

// All that was measured of one codec at one effort.
static void print_kernels(FILE *out, const struct bench_result *result,
                          const struct bench_size *size)
{
    const struct bench_row *row = &result->rows[0];
    const struct bench_base *base = bench_base_of(size, row);
    char quality[32];
    fprintf(out,
            "\n%ux%u: GPU time of one frame [us]; cold rotates %u images, hot takes one\n"
            "  %-7s %-5s %10s %10s %10s %9s %9s %8s\n",
            size->width, size->height, size->num_images, "", "cache", "min", "median", "p95",
            "Gpix/s", "GB/s", "x floor");
    print_kernel(out, size, &base->floor, &base->floor);
    print_kernel(out, size, &base->blocks, &base->floor);
    print_kernel(out, size, &size->encodes[0], &base->floor);
    if (size->proxies[0].cold.num > 0) {
        print_kernel(out, size, &size->proxies[0], &base->floor);
        print_kernel(out, size, &size->aparts[0], &base->floor);
    }
    if (size->packs[0].cold.num > 0) {
        print_kernel(out, size, &size->packs[0], &base->floor);
    }
    print_kernel(out, size, &size->copies[row->source], &base->floor);
    print_forms(out, base);
    if (size->packs[0].cold.num > 0) {
        fprintf(out, "  packed to %.2f %%, the last image\n", size->packed[0]);
    }
    fprintf(out, "  quality %s\n", quality_text(&row->quality, quality, sizeof(quality)));
    print_quality_notes(out, result);
}

static void print_row_times(FILE *out, const struct bench_size *size,
                            const struct bench_times *times, const struct bench_times *floor)
{
    const double pixels = (double)size->width * size->height;
    if (times->num == 0) {
        fprintf(out, " | %10s %8s %8s", "-", "-", "-");
    } else {
        fprintf(out, " | %10.1f %8.3f %8.2f", times->median, pixels / times->median / 1e3,
                times->median / floor->median);
    }
}

struct table_row {
    const char *name, *effort, *quality;
    uint32_t texel_size, block_size; // 0: no blocks
    const struct bench_kernel *kernel, *floor;
};

static void print_row(FILE *out, const struct bench_size *size, const struct table_row *row)
{
    char block[16] = "-";
    if (row->block_size != 0) {
        snprintf(block, sizeof(block), "%u", row->block_size);
    }
    fprintf(out, "  %-12s %-10s %5u %5s", row->name, row->effort, row->texel_size, block);
    print_row_times(out, size, &row->kernel->cold, &row->floor->cold);
    print_row_times(out, size, &row->kernel->hot, &row->floor->hot);
    fprintf(out, " |%s\n", row->quality);
}

static void print_bases(FILE *out, const struct bench_size *size, enum bench_source source)
{
    const uint32_t texel_size = cli_texel_size(bench_source_format(source));
    for (int i = 0; i < BENCH_NUM_BLOCK_SIZES; i++) {
        const struct bench_base *base = &size->bases[source][i];
        if (base->floor.cold.num == 0) {
            continue;
        }
        struct table_row row = {"floor",      "",          "", texel_size, bench_block_sizes[i],
                                &base->floor, &base->floor};
        print_row(out, size, &row);
        row.name = base->blocks.name;
        row.kernel = &base->blocks;
        print_row(out, size, &row);
    }
    if (size->copies[source].cold.num != 0) {
        print_row(out, size,
                  &(const struct table_row){"copy", "", "", texel_size, 0, &size->copies[source],
                                            bench_copy_floor(size, source)});
    }
}

// What was measured of a row besides, below it.
static void print_behind(FILE *out, const struct bench_size *size, const struct bench_row *row,
                         const struct bench_kernel *kernel, const char *note)
{
    if (kernel->cold.num == 0) {
        return;
    }
    print_row(out, size,
              &(const struct table_row){
                  row->name, kernel->name, note, cli_texel_size(bench_source_format(row->source)),
                  row->info->block_size, kernel, &bench_base_of(size, row)->floor});
}

// A row a codec and effort, the medians.
static void print_rows(FILE *out, const struct bench_result *result, const struct bench_size *size)
{
    fprintf(out,
            "\n%ux%u: GPU time of one frame, median [us]; cold rotates %u images, hot takes one\n",
            size->width, size->height, size->num_images);
    fprintf(out,
            "  %-12s %-10s %11s | %28s | %28s |\n"
            "  %-12s %-10s %5s %5s | %10s %8s %8s | %10s %8s %8s | %s\n",
            "", "", "bytes a", "cold          ", "hot          ", "", "effort", "texel", "block",
            "us", "Gpix/s", "x floor", "us", "Gpix/s", "x floor", "quality");
    for (int i = 0; i < BENCH_NUM_SOURCES; i++) {
        print_bases(out, size, (enum bench_source)i);
    }
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        char quality[32] = " ";
        quality_text(&row->quality, quality + 1, sizeof(quality) - 1);
        print_row(out, size,
                  &(const struct table_row){row->name, cli_effort_names[row->effort], quality,
                                            cli_texel_size(bench_source_format(row->source)),
                                            row->info->block_size, &size->encodes[i],
                                            &bench_base_of(size, row)->floor});
        print_behind(out, size, row, &size->proxies[i], "");
        print_behind(out, size, row, &size->aparts[i], "");
        char packed[32];
        snprintf(packed, sizeof(packed), " to %.2f %%", size->packed[i]);
        print_behind(out, size, row, &size->packs[i], packed);
    }
    print_quality_notes(out, result);
}

static void print_stream(FILE *out, const struct bench_size *size,
                         const struct bench_stream *stream)
{
    const struct weir_capture_stats *stats = &stream->stats;
    char pace[16] = "-";
    if (stream->pace.num != 0) {
        snprintf(pace, sizeof(pace), "%.5g", (double)stream->pace.num / stream->pace.den);
    }
    fprintf(out,
            "  %-5s %-5s %5s %8.1f %8.1f %6.2f %8" PRIu64
            " %7.1f | %7.1f %7.1f %7.1f %8.1f | %7.1f %7.1f\n",
            stream->file ? "file" : "null", stream->policy == WEIR_POLICY_WAIT ? "wait" : "drop",
            pace, (double)stats->written / stream->seconds,
            (double)stats->bytes / 1e6 / stream->seconds,
            (double)stats->bytes / 1e9 / stream->seconds / size->bus, stats->dropped,
            stats->written > 0 ? (double)stats->gpu_ns / 1e3 / (double)stats->written : 0,
            stream->call.median, stream->call.p99, stream->call.p999, stream->call.max,
            stream->cpu.median, stream->cpu.p999);
}

void bench_table_size(FILE *out, const struct bench_result *result, const struct bench_size *size)
{
    if (result->num_rows == 1) {
        print_kernels(out, result, size);
    } else {
        print_rows(out, result, size);
    }
    if (size->num_streams == 0) {
        return;
    }
    fprintf(out,
            "  end to end (the bus, copies of frames to host memory and nothing else: %.1f GB/s), "
            "and one "
            "call of weir_capture_frame() that took its frame [us]: wall time "
            "(with the sleep under wait) | CPU time\n"
            "  %-5s %-5s %5s %8s %8s %6s %8s %7s | %7s %7s %7s %8s | %7s %7s\n",
            size->bus, "sink", "full", "pace", "fps", "MB/s", "of bus", "dropped", "GPU us",
            "median", "p99", "p99.9", "max", "median", "p99.9");
    for (uint32_t i = 0; i < size->num_streams; i++) {
        print_stream(out, size, &size->streams[i]);
    }
}
