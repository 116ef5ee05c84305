// SPDX-License-Identifier: MIT
// The results of weir-bench encode, as tables and as JSON.
#include <math.h>
#include <string.h>

#include "tests/bench/encode/encode.h"

static const struct bench_column columns[] = {
    {".label", "", -12, 0, 0},
    {".what", "", -10, 0, 0},
    {"texel_size", "texel", 5, 0, 0},
    {"block_size", "block", 5, 0, 0},
    BENCH_BAR,
    {"cold.min_us", "cold min", 9, 1, 0},
    {"cold.median_us", "median", 9, 1, 0},
    {"cold.p95_us", "p95", 9, 1, 0},
    {"cold.gpix_per_s", "Gpix/s", 8, 3, 0},
    {"cold.gb_per_s", "GB/s", 7, 1, 0},
    {"cold.ratio_to_floor", "x floor", 7, 2, 0},
    BENCH_BAR,
    {"hot.min_us", "hot min", 9, 1, 0},
    {"hot.median_us", "median", 9, 1, 0},
    {"hot.p95_us", "p95", 9, 1, 0},
    {"hot.gpix_per_s", "Gpix/s", 8, 3, 0},
    {"hot.gb_per_s", "GB/s", 7, 1, 0},
    {"hot.ratio_to_floor", "x floor", 7, 2, 0},
    BENCH_BAR,
    {".result", "quality", -1, 0, 0},
};
static const struct bench_column stream_columns[] = {
    {"sink", "sink", -5, 0, 0},
    {"policy", "full", -5, 0, 0},
    {"pace", "pace", 5, 1, 0},
    {"frames_per_s", "fps", 8, 1, 0},
    {"mb_per_s", "MB/s", 8, 1, 0},
    {"share_of_bus", "of bus", 6, 2, 0},
    {"dropped", "dropped", 8, 0, 0},
    {"gpu_us_per_frame", "GPU us", 7, 1, 0},
    BENCH_BAR,
    {"call_wall.median_us", "median", 7, 1, 0},
    {"call_wall.p99_us", "p99", 7, 1, 0},
    {"call_wall.p999_us", "p99.9", 7, 1, 0},
    {"call_wall.max_us", "max", 8, 1, 0},
    BENCH_BAR,
    {"call_cpu.median_us", "median", 7, 1, 0},
    {"call_cpu.p999_us", "p99.9", 7, 1, 0},
};

static void put_quality(struct bench_value *to, const struct bench_quality *quality)
{
    const bool is_measured = quality->num_pictures > 0;
    struct bench_value *object = bench_add(to, "quality", is_measured ? BENCH_OBJECT : BENCH_NULL);
    if (is_measured) {
        bench_put_text(object, "measure", quality->is_log_error ? "rms_log_error" : "psnr_db");
        bench_put_text(object, "channels", quality->channels);
        bench_put_bool(object, "lossless", isinf(quality->value));
        bench_put_number(object, "value", quality->value);
        bench_put_integer(object, "num_pictures", quality->num_pictures);
        bench_put_bool(object, "generated", quality->generated);
    }
}

// What the last column has of a figure.
static void result_text(const struct bench_figure *figure, char *text, size_t size)
{
    const struct bench_quality *quality = strcmp(figure->name, "encode") == 0
                                              ? &figure->row->quality
                                              : NULL;
    text[0] = 0;
    if (figure->packed > 0) {
        snprintf(text, size, "to %.2f %%", figure->packed);
    } else if (!quality || quality->num_pictures == 0) {
        snprintf(text, size, "-");
    } else if (quality->is_log_error) {
        snprintf(text, size, "%.4f log %s", quality->value, quality->channels);
    } else if (isinf(quality->value)) {
        snprintf(text, size, "lossless %s", quality->channels);
    } else {
        snprintf(text, size, "%.2f dB %s", quality->value, quality->channels);
    }
}

void bench_figure_put(const struct bench_size *size, const struct bench_figure *figure,
                      uint32_t texel_size, const struct bench_measured *floor)
{
    const struct bench_row *row = figure->row;
    const bool is_encode = strcmp(figure->name, "encode") == 0;
    struct bench_value *to = bench_add(size->kernels, NULL, BENCH_OBJECT);
    char text[32];
    result_text(figure, text, sizeof(text));
    bench_put_text(to, "name", figure->name);
    bench_put_text(to, ".label", row ? row->name : figure->name);
    bench_put_text(to, ".what",
                   !row        ? ""
                   : is_encode ? cli_effort_names[row->effort]
                               : figure->name);
    bench_put_text(to, ".result", text);
    bench_put_integer(to, "texel_size", texel_size);
    bench_put_number(to, "block_size", figure->block_size ? figure->block_size : (double)NAN);
    bench_put_number(to, "bytes", figure->bytes);
    if (row) {
        bench_put_text(to, "codec", row->name);
        bench_put_text(to, "effort", cli_effort_names[row->effort]);
        bench_put_bool(to, "steady", row->is_steady);
        bench_put_bool(to, "rdo", row->is_rdo);
        bench_put_number(to, "packed_percent", figure->packed > 0 ? figure->packed : (double)NAN);
        put_quality(to, &row->quality);
    }
    bench_put_measured(to, &figure->measured, floor, figure->bytes,
                       (double)size->width * size->height);
}

void bench_stream_put(const struct bench_size *size, const struct bench_stream *stream)
{
    struct bench_value *to = bench_add(size->streams, NULL, BENCH_OBJECT);
    const struct weir_capture_stats *stats = &stream->stats;
    const double bytes_per_s = (double)stats->bytes / stream->seconds;
    bench_put_text(to, "sink", stream->file ? "file" : "null");
    bench_put_text(to, "policy", stream->policy == WEIR_POLICY_WAIT ? "wait" : "drop");
    bench_put_number(to, "pace",
                     stream->pace.num != 0 ? (double)stream->pace.num / stream->pace.den
                                           : (double)NAN);
    bench_put_number(to, "seconds", stream->seconds);
    bench_put_number(to, "cpu_seconds", stream->cpu_seconds);
    bench_put_integer(to, "received", stats->received);
    bench_put_integer(to, "written", stats->written);
    bench_put_integer(to, "dropped", stats->dropped);
    bench_put_integer(to, "bytes", stats->bytes);
    bench_put_integer(to, "gpu_ns", stats->gpu_ns);
    bench_put_integer(to, "host_ns", stats->host_ns);
    bench_put_integer(to, "wait_ns", stats->wait_ns);
    bench_put_number(to, "frames_per_s", (double)stats->written / stream->seconds);
    bench_put_number(to, "mb_per_s", bytes_per_s / 1e6);
    bench_put_number(to, "share_of_bus", bytes_per_s / 1e9 / size->bus);
    bench_put_number(to, "gpu_us_per_frame", (double)stats->gpu_ns / 1e3 / (double)stats->written);
    bench_put_times(to, "call_wall", &stream->call);
    bench_put_times(to, "call_cpu", &stream->cpu);
}

static void print_notes(FILE *out, const struct bench_result *result)
{
    const struct bench_options *options = result->options;
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
    if (options->steady) {
        fputs("  (steady, where a codec has that: times with a history in which nothing is kept; "
              "quality of a first frame)\n",
              out);
    }
    if (options->quality != 0) {
        fprintf(out,
                "  (quality %u of rate-distortion optimisation, where a codec has that: times with "
                "it, streams with Snappy; dB without it)\n",
                (unsigned)options->quality);
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

// What the device has no encoder for.
static void print_missing(FILE *out, const struct bench_result *result)
{
    char text[64];
    for (uint32_t i = 0; i < result->num_rows; i++) {
        if (!result->rows[i].coder.encoder) {
            fprintf(out, "  (%s: the device has none)\n",
                    bench_row_text(&result->rows[i], text, sizeof(text)));
        }
    }
}

void bench_encode_print_size(FILE *out, const struct bench_result *result,
                             const struct bench_size *size)
{
    fprintf(out, "\n%ux%u: GPU time of one frame [us]; cold rotates %u images, hot takes one\n",
            size->width, size->height, size->num_images);
    bench_print_table(out, columns, BENCH_COUNT(columns), size->kernels);
    print_missing(out, result);
    print_notes(out, result);
    if (!size->streams || !size->streams->first) {
        return;
    }
    fprintf(out,
            "  end to end (the bus, copies of frames to host memory and nothing else: %.1f GB/s), "
            "and one call of weir_capture_frame() that took its frame [us]: wall time (with the "
            "sleep under wait) | CPU time\n",
            size->bus);
    bench_print_table(out, stream_columns, BENCH_COUNT(stream_columns), size->streams);
}
