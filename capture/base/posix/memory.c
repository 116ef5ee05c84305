// SPDX-License-Identifier: MIT
// How much memory the system and control groups give a program.
#include "capture/base/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/base/size.h"

enum { MAX_PATH = 4096 };

static uint64_t read_total(const char *root)
{
    char path[MAX_PATH], line[256];
    uint64_t kib = UINT64_MAX / 1024;
    snprintf(path, sizeof(path), "%s/proc/meminfo", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
        if (sscanf(line, "MemTotal: %" SCNu64 " kB", &kib) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kib < UINT64_MAX / 1024 ? kib * 1024 : UINT64_MAX;
}

// The number in a file of a control group; UINT64_MAX for "max", or without such a file.
static uint64_t read_limit(const char *root, const char *tree, const char *group, const char *name)
{
    char path[MAX_PATH];
    uint64_t limit = UINT64_MAX;
    const int length = snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s%s/%s", root, tree, group,
                                name);
    FILE *file = length < (int)sizeof(path) ? fopen(path, "r") : NULL;
    if (file) {
        if (fscanf(file, "%" SCNu64, &limit) != 1) {
            limit = UINT64_MAX;
        }
        fclose(file);
    }
    return limit;
}

// The least of a group and of all around it. In a container the path may be one that only the host
// has; its own group is at the root of the tree then.
static uint64_t read_group(const char *root, const char *tree, char *group, const char *name)
{
    uint64_t limit = read_limit(root, tree, "", name);
    for (char *slash; (slash = strrchr(group, '/')); *slash = 0) {
        limit = weir_min(limit, read_limit(root, tree, group, name));
    }
    return limit;
}

// A line is "0::/GROUP" of version 2, and "NUMBER:CONTROLLERS:/GROUP" of version 1.
static uint64_t read_groups(const char *root)
{
    char path[MAX_PATH], line[MAX_PATH];
    uint64_t limit = UINT64_MAX;
    snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'),
             *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) {
            continue;
        }
        *group++ = 0;
        if (strcmp(controllers, ":") == 0) {
            limit = weir_min(limit, read_group(root, "", group, "memory.max"));
        } else if (strcmp(controllers, ":memory") == 0) {
            limit = weir_min(limit, read_group(root, "/memory", group, "memory.limit_in_bytes"));
        }
    }
    if (file) {
        fclose(file);
    }
    return limit;
}

uint64_t weir_memory_of_machine(const char *root)
{
    return weir_min(read_total(root), read_groups(root));
}
