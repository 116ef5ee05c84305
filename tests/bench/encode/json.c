// SPDX-License-Identifier: MIT
// The results of weir-bench encode as JSON.
#include <math.h>

#include "capture/weir/common/shared_options.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/json.h"

static void write_times(struct cli_json *json, const char *key, const struct bench_times *times)
{
    cli_json_begin_object(json, key);
    cli_json_integer(json, "num", times->num);
    cli_json_number(json, "min_us", times->min);
    cli_json_number(json, "median_us", times->median);
    cli_json_number(json, "p95_us", times->p95);
    cli_json_number(json, "p99_us", times->p99);
    cli_json_number(json, "p999_us", times->p999);
    cli_json_number(json, "max_us", times->max);
    cli_json_end_object(json);
}

static void write_quality(struct cli_json *json, const struct bench_quality *quality)
{
    cli_json_begin_object(json, "quality");
    cli_json_text(json, "measure", quality->is_log_error ? "rms_log_error" : "psnr_db");
    cli_json_text(json, "channels", quality->channels);
    cli_json_bool(json, "lossless", isinf(quality->value));
    cli_json_number(json, "value", quality->value);
    cli_json_integer(json, "num_pictures", quality->num_pictures);
    cli_json_bool(json, "generated", quality->generated);
    cli_json_end_object(json);
}

// The sizes that a kernel reads and writes and, if it is an encoder, its row.
struct kernel_facts {
    enum bench_source source;
    uint32_t block_size;         // 0: no blocks
    const struct bench_row *row; // NULL: no encoder
    const struct bench_kernel *floor;
    double packed; // what Snappy leaves [%]; 0: no Snappy
};

static void write_facts(struct cli_json *json, const struct kernel_facts *facts)
{
    cli_json_integer(json, "texel_size", cli_texel_size(bench_source_format(facts->source)));
    cli_json_number(json, "block_size", facts->block_size != 0 ? facts->block_size : NAN);
    if (!facts->row) {
        return;
    }
    cli_json_text(json, "codec", facts->row->name);
    cli_json_text(json, "effort", cli_effort_names[facts->row->effort]);
    cli_json_bool(json, "steady", facts->row->is_steady);
    cli_json_bool(json, "rdo", facts->row->is_rdo);
    if (facts->packed > 0) {
        cli_json_number(json, "packed_percent", facts->packed);
    }
    if (facts->row->quality.num_pictures > 0) {
        write_quality(json, &facts->row->quality);
    } else {
        cli_json_null(json, "quality");
    }
}

static void write_times_of_kernel(struct cli_json *json, const struct bench_size *size,
                                  const struct bench_kernel *kernel,
                                  const struct kernel_facts *facts, bool hot)
{
    const struct bench_times *times = hot ? &kernel->hot : &kernel->cold;
    const double pixels = (double)size->width * size->height;
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "name", kernel->name);
    cli_json_text(json, "form", kernel->form[0] != 0 ? kernel->form : NULL);
    cli_json_text(json, "cache", hot ? "hot" : "cold");
    cli_json_bool(json, "generated", size->generated[facts->source]);
    write_times(json, "gpu", times);
    cli_json_number(json, "bytes", kernel->bytes);
    cli_json_number(json, "gpix_per_s", pixels / times->median / 1e3);
    cli_json_number(json, "gb_per_s", kernel->bytes / times->median / 1e3);
    cli_json_number(json, "ratio_to_floor",
                    times->median / (hot ? facts->floor->hot.median : facts->floor->cold.median));
    write_facts(json, facts);
    cli_json_end_object(json);
}

static void write_kernel(struct cli_json *json, const struct bench_size *size,
                         const struct bench_kernel *kernel, const struct kernel_facts *facts)
{
    if (kernel->cold.num == 0) {
        return;
    }
    write_times_of_kernel(json, size, kernel, facts, false);
    write_times_of_kernel(json, size, kernel, facts, true);
}

static void write_bases(struct cli_json *json, const struct bench_size *size,
                        enum bench_source source)
{
    for (int i = 0; i < BENCH_NUM_BLOCK_SIZES; i++) {
        const struct bench_base *base = &size->bases[source][i];
        const struct kernel_facts facts = {source, bench_block_sizes[i], NULL, &base->floor, 0};
        write_kernel(json, size, &base->floor, &facts);
        write_kernel(json, size, &base->blocks, &facts);
    }
}

static void write_rows(struct cli_json *json, const struct bench_result *result,
                       const struct bench_size *size)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        struct kernel_facts facts = {row->source, row->info->block_size, row,
                                     &bench_base_of(size, row)->floor, 0};
        write_kernel(json, size, &size->encodes[i], &facts);
        write_kernel(json, size, &size->proxies[i], &facts);
        write_kernel(json, size, &size->aparts[i], &facts);
        facts.packed = size->packed[i];
        write_kernel(json, size, &size->packs[i], &facts);
    }
}

static void write_copy(struct cli_json *json, const struct bench_size *size,
                       enum bench_source source)
{
    write_kernel(json, size, &size->copies[source],
                 &(const struct kernel_facts){source, 0, NULL, bench_copy_floor(size, source), 0});
}

static void write_stream(struct cli_json *json, const struct bench_stream *stream)
{
    const struct weir_capture_stats *stats = &stream->stats;
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "sink", stream->file ? "file" : "null");
    cli_json_text(json, "policy", stream->policy == WEIR_POLICY_WAIT ? "wait" : "drop");
    cli_json_number(json, "pace",
                    stream->pace.num != 0 ? (double)stream->pace.num / stream->pace.den : NAN);
    cli_json_number(json, "seconds", stream->seconds);
    cli_json_number(json, "cpu_seconds", stream->cpu_seconds);
    cli_json_integer(json, "received", stats->received);
    cli_json_integer(json, "written", stats->written);
    cli_json_integer(json, "dropped", stats->dropped);
    cli_json_integer(json, "bytes", stats->bytes);
    cli_json_integer(json, "gpu_ns", stats->gpu_ns);
    cli_json_integer(json, "host_ns", stats->host_ns);
    cli_json_integer(json, "wait_ns", stats->wait_ns);
    cli_json_number(json, "frames_per_s", (double)stats->written / stream->seconds);
    write_times(json, "call_wall", &stream->call);
    write_times(json, "call_cpu", &stream->cpu);
    cli_json_end_object(json);
}

static void write_size(struct cli_json *json, const struct bench_result *result,
                       const struct bench_size *size)
{
    cli_json_begin_object(json, NULL);
    cli_json_integer(json, "width", size->width);
    cli_json_integer(json, "height", size->height);
    cli_json_integer(json, "num_images", size->num_images);
    cli_json_begin_array(json, "kernels");
    for (int i = 0; i < BENCH_NUM_SOURCES; i++) {
        write_bases(json, size, (enum bench_source)i);
    }
    write_rows(json, result, size);
    for (int i = 0; i < BENCH_NUM_SOURCES; i++) {
        write_copy(json, size, (enum bench_source)i);
    }
    cli_json_end_array(json);
    cli_json_number(json, "bus_gb_per_s", size->bus > 0 ? size->bus : NAN);
    cli_json_begin_array(json, "streams");
    for (uint32_t i = 0; i < size->num_streams; i++) {
        write_stream(json, &size->streams[i]);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

static void write_result(struct cli_json *json, const void *measured)
{
    const struct bench_result *result = measured;
    bench_json_begin(json, "encode");
    cli_json_text(json, "codec", result->options->codecs);
    cli_json_text(json, "effort", result->options->efforts);
    bench_json_device(json, result->gpu);
    cli_json_integer(json, "milliseconds", result->options->milliseconds);
    cli_json_integer(json, "stream_images", result->options->images);
    cli_json_integer(json, "proxy_level", result->options->proxy);
    cli_json_bool(json, "quick", result->options->quick);
    cli_json_bool(json, "spin", result->options->spin);
    cli_json_begin_array(json, "pictures");
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        cli_json_text(json, NULL, result->picture_names[i]);
    }
    cli_json_end_array(json);
    cli_json_begin_array(json, "sizes");
    for (uint32_t i = 0; i < result->num_sizes; i++) {
        write_size(json, result, &result->sizes[i]);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

bool bench_encode_json_write(const char *path, const struct bench_result *result)
{
    return cli_json_write(path, write_result, result) == WEIR_OK;
}
