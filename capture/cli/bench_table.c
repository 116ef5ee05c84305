// SPDX-License-Identifier: MIT
// The results of weir bench encode as a table.
#include <inttypes.h>

#include "capture/cli/bench.h"
#include "capture/cli/build.h"

#include <weir/version.h>

void bench_table_head(FILE *out, const struct bench_result *result)
{
    const struct cli_gpu *gpu = result->gpu;
    fprintf(out, "weir %s (%s), %s, %s, %s\n", weir_version(), cli_build_commit, result->codec,
            gpu->properties.deviceName, gpu->driver);
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

static void print_kernels(FILE *out, const struct bench_size *size)
{
    const struct bench_kernel *floor = &size->kernels[BENCH_FLOOR];
    fprintf(out,
            "\n%ux%u: GPU time of one frame [us]; cold rotates %u images, hot takes one\n"
            "  %-7s %-5s %10s %10s %10s %9s %9s %8s\n",
            size->width, size->height, size->num_images, "", "cache", "min", "median", "p95",
            "Gpix/s", "GB/s", "x floor");
    for (int i = 0; i < BENCH_NUM_KERNELS; i++) {
        const struct bench_kernel *kernel = &size->kernels[i];
        print_times(out, size, kernel, &kernel->cold, &floor->cold, "cold");
        print_times(out, size, kernel, &kernel->hot, &floor->hot, "hot");
    }
    fprintf(out, "  (floor: %s; blocks: %s; copy: a plain copy of the image)\n", floor->form,
            size->kernels[BENCH_BLOCKS].form);
}

static void print_stream(FILE *out, const struct bench_stream *stream)
{
    const struct weir_capture_stats *stats = &stream->stats;
    char pace[16] = "-";
    if (stream->pace.num != 0)
        snprintf(pace, sizeof pace, "%.5g", (double)stream->pace.num / stream->pace.den);
    fprintf(out,
            "  %-5s %-5s %5s %8.1f %8.1f %8" PRIu64
            " %7.1f | %7.1f %7.1f %7.1f %8.1f | %7.1f %7.1f\n",
            stream->file ? "file" : "null", stream->policy == WEIR_POLICY_WAIT ? "wait" : "drop",
            pace, (double)stats->written / stream->seconds,
            (double)stats->bytes / 1e6 / stream->seconds, stats->dropped,
            stats->written > 0 ? (double)stats->gpu_ns / 1e3 / (double)stats->written : 0,
            stream->call.median, stream->call.p99, stream->call.p999, stream->call.max,
            stream->cpu.median, stream->cpu.p999);
}

void bench_table_size(FILE *out, const struct bench_size *size)
{
    print_kernels(out, size);
    if (size->num_streams == 0)
        return;
    fprintf(
        out,
        "  end to end, and one call of weir_capture_frame() that took its frame [us]: wall time "
        "(with the sleep under wait) | CPU time\n"
        "  %-5s %-5s %5s %8s %8s %8s %7s | %7s %7s %7s %8s | %7s %7s\n",
        "sink", "full", "pace", "fps", "MB/s", "dropped", "GPU us", "median", "p99", "p99.9", "max",
        "median", "p99.9");
    for (uint32_t i = 0; i < size->num_streams; i++)
        print_stream(out, &size->streams[i]);
}
