// SPDX-License-Identifier: MIT
// gpu_encode PART... [--all]: tests of encoders, by parts that share a device.
#include <stdio.h>
#include <string.h>

#include "tests/gpu/encode_run.h"

static const struct part {
    const char *name;
    void (*run)(struct harness *h, bool has_all);
    bool queue_is_shared; // the context's queue is the host's
} parts[] = {
    {"bc", encode_test_bc, false},          {"etc", encode_test_etc, false},
    {"hdr", encode_test_hdr, false},        {"options", encode_test_options, false},
    {"proxy", encode_test_proxy, false},    {"proxy_calls", encode_test_proxy_calls, false},
    {"regions", encode_test_regions, true}, {"sources", encode_test_sources, false},
    {"steady", encode_test_steady, false},  {"ycocg", encode_test_ycocg, false},
};

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strcmp(name, parts[i].name) == 0) {
            return &parts[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct part *part = argc > 1 ? find_part(argv[1]) : NULL;
    if (!part) {
        printf("usage: gpu_encode PART... [--all]\n");
        return 1;
    }
    struct harness h;
    harness_init(&h, part->queue_is_shared);
    for (int i = 1; i < argc && (part = find_part(argv[i])); i++) {
        printf("-- %s\n", part->name);
        part->run(&h, strcmp(argv[argc - 1], "--all") == 0);
    }
    return harness_finish(&h);
}
