// SPDX-License-Identifier: MIT
// The names of segments, of paths of every form.
#include "capture/stream/mux/segment_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

static void expect_name(const char *path, uint32_t number, const char *want)
{
    struct weir_segment_name name;
    char folder[256] = "", full[512];
    test_expect(weir_segment_name_init(&name, path), "name");
    if (want[0] != '/') {
        test_expect(getcwd(folder, sizeof(folder) - 1), "a folder");
        strcat(folder, "/");
    }
    snprintf(full, sizeof(full), "%s%s", folder, want);
    const char *got = weir_segment_name_get(&name, number);
    test_expect(strcmp(got, full) == 0, "'%s' number %u: '%s', not '%s'", path, number, got, full);
    weir_segment_name_finish(&name);
}

int main(void)
{
    expect_name("/tmp/take.mov", 1, "/tmp/take.001.mov");
    expect_name("/tmp/take.mov", 1000, "/tmp/take.1000.mov");
    expect_name("/tmp/take.mov", UINT32_MAX, "/tmp/take.4294967295.mov");
    expect_name("/tmp/../tmp/take", 12, "/tmp/take.012");
    expect_name("/take.day.mov", 12, "/take.day.012.mov");
    expect_name("/tmp/.take", 2, "/tmp/.take.002");
    expect_name("take.mov", 2, "take.002.mov");
    expect_name("./a%d.mov", 3, "a%d.003.mov");
    expect_name("/no/such.folder/take", 2, "/no/such.folder/take.002");
    expect_name("/tmp/", 2, "/tmp/");
    return test_finish();
}
