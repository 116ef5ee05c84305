// SPDX-License-Identifier: MIT
// The rows of weir-bench encode: each codec that --codec names, all with "all", once at each effort
// of --effort that it has.
#include "tests/bench/encode/encode.h"
#include "tests/expect.h"

static int count(const struct bench_result *result, enum weir_codec codec, int effort)
{
    int num = 0;
    for (uint32_t i = 0; i < result->num_rows; i++) {
        num += result->rows[i].info->codec == codec && (int)result->rows[i].effort == effort;
    }
    return num;
}

// `effort` is the one of `efforts`, -1: each. Signed codecs have the kernels of others, and no row.
static void check_all(const char *efforts, int effort)
{
    const struct bench_options options = {.codecs = "all", .efforts = efforts};
    static struct bench_result result;
    result = (struct bench_result){.options = &options};
    bench_rows_init(&result);
    size_t num_codecs;
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    uint32_t num_rows = 0;
    for (size_t i = 0; i < num_codecs; i++) {
        for (int e = 0; e <= WEIR_EFFORT_LIVE && !codecs[i].is_signed; e++) {
            const bool has = e == WEIR_EFFORT_LIVE ? codecs[i].has_live
                                                   : e <= (int)codecs[i].max_effort;
            const int wanted = has && (effort < 0 || e == effort);
            num_rows += (uint32_t)wanted;
            const int num = count(&result, codecs[i].codec, e);
            test_expect(num == wanted, "--codec all --effort %s: %d rows of %s at effort %d",
                        efforts, num, codecs[i].name, e);
        }
    }
    test_expect(result.num_rows == num_rows && num_rows >= 15, "--codec all --effort %s: %u rows",
                efforts, result.num_rows);
}

int main(void)
{
    const struct bench_options options = {.codecs = "hap,dxt1,bc1", .efforts = "fast"};
    static struct bench_result result;
    result = (struct bench_result){.options = &options};
    bench_rows_init(&result);
    test_expect(result.num_rows == 1 && result.rows[0].movie, "hap and bc1 are %u rows",
                result.num_rows);
    check_all("fast", WEIR_EFFORT_FAST);
    check_all("all", -1);
    return test_finish();
}
