// SPDX-License-Identifier: MIT
// The memory of a machine: by its total and by control groups of both versions, in trees of files
// that are made for it.
#include "capture/weir/common/shared_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/system.h"
#include "tests/expect.h"

static char root[64];

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    test_must(file && fputs(text, file) >= 0 && fclose(file) == 0, path);
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    remove(path);
}

static void expect(const char *what, uint64_t wanted)
{
    const uint64_t got = weir_memory_of_machine(root);
    test_expect(got == wanted, "%s: %" PRIu64 " bytes instead of %" PRIu64, what, got, wanted);
}

int main(void)
{
    static const char v2[] = "sys/fs/cgroup/user.slice/app/memory.max";
    static const char v2_around[] = "sys/fs/cgroup/user.slice/memory.max";
    static const char v2_root[] = "sys/fs/cgroup/memory.max";
    static const char v1[] = "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes";
    static const char v1_root[] = "sys/fs/cgroup/memory/memory.limit_in_bytes";
    snprintf(root, sizeof(root), "%s", "memory_test_XXXXXX");
    if (!mkdtemp(root)) {
        perror(root);
        return 1;
    }
    expect("nothing says so", UINT64_MAX);
    put("proc/meminfo", "MemTotal:       24684100 kB\nMemFree:        19341944 kB\n");
    expect("the total", (uint64_t)24684100 * 1024);

    put("proc/self/cgroup", "0::/user.slice/app\n");
    expect("groups without files", (uint64_t)24684100 * 1024);
    put(v2, "max\n");
    put(v2_around, "max\n");
    expect("groups without limits", (uint64_t)24684100 * 1024);
    put(v2, "4294967296\n");
    expect("the group's own", (uint64_t)4 << 30);
    put(v2_around, "2147483648\n");
    expect("the group around it", (uint64_t)2 << 30);
    put(v2_root, "1073741824\n");
    expect("the root of a container", (uint64_t)1 << 30);
    put(v2_root, "");
    put(v2_around, "what\n");
    expect("files that say nothing", (uint64_t)4 << 30);
    put(v2, "18446744073709551615\n");
    expect("more than there is", (uint64_t)24684100 * 1024);

    put("proc/self/cgroup",
        "12:cpu,cpuacct:/docker/1\n5:memory:/docker/1\n1:name=systemd:/\n0::/\n");
    put(v1, "9223372036854771712\n"); // as version 1 says that there is none
    expect("version 1 without a limit", (uint64_t)24684100 * 1024);
    put(v1, "536870912\n");
    expect("version 1", (uint64_t)512 << 20);
    put(v1_root, "268435456\n");
    expect("version 1, the root", (uint64_t)256 << 20);
    put("proc/self/cgroup", "no line of such a file\n::\n:memory\n5:memory:docker\n");
    expect("lines of no group", (uint64_t)256 << 20);

    test_expect(cli_memory_use(0, 1, 2).limit != 0 &&
                    cli_memory_use(1 << 20, 1, 2).limit == 1 << 20,
                "the limit is what was asked for");
    static const char *const names[] = TEST_LIST(
        "proc/meminfo", "proc/self/cgroup", "proc/self", "proc", v2, v2_around, v2_root,
        "sys/fs/cgroup/user.slice/app", "sys/fs/cgroup/user.slice", v1, v1_root,
        "sys/fs/cgroup/memory/docker/1", "sys/fs/cgroup/memory/docker", "sys/fs/cgroup/memory",
        "sys/fs/cgroup", "sys/fs", "sys", "");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        drop(names[i]);
    }
    return test_finish();
}
