// SPDX-License-Identifier: MIT
// gpu_palette PART... [--all | --few | ROUNDS]: palette reduction, by parts that share a device.
#include "tests/gpu/palette_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    const char *name;
    void (*run)(struct palette_test *t);
    bool has_own_queue; // the context's queue is not the host's
};

static const struct part parts[] = {
    {"devices", palette_test_devices, true},    {"errors", palette_test_errors, true},
    {"dither", palette_test_dither, false},     {"facts", palette_test_facts, false},
    {"frames", palette_test_frames, false},     {"images", palette_test_images, false},
    {"live", palette_test_live, false},         {"many", palette_test_many, false},
    {"means", palette_test_means, false},       {"pixels", palette_test_pixels, false},
    {"pictures", palette_test_pictures, false},
};

static bool is_same(const struct weir_palette_params *a, const struct weir_palette_params *b)
{
    return a->like == b->like && a->max_colors == b->max_colors && a->method == b->method &&
           a->weight == b->weight && a->metric == b->metric && a->light == b->light &&
           a->dither == b->dither && a->table == b->table && a->no_merge == b->no_merge &&
           a->live == b->live;
}

weir_palette *palette_of(struct palette_test *t, const struct weir_palette_params *params)
{
    struct weir_palette_params filled = *params;
    filled.like = filled.like ? filled.like : harness_like(&t->h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    filled.max_colors = filled.max_colors || filled.live ? filled.max_colors : PALETTE_MAX_COLORS;
    uint32_t i = 0;
    while (i < t->num_palettes && !is_same(&t->palettes[i].params, &filled)) {
        i++;
    }
    if (i == t->num_palettes) {
        test_must(i < sizeof(t->palettes) / sizeof(t->palettes[0]), "room for palettes");
        const enum weir_result result = weir_palette_create(t->h.context, &filled,
                                                            &t->palettes[i].palette);
        test_must(result == WEIR_OK, weir_result_name(result));
        t->palettes[i].params = filled;
        t->num_palettes++;
    }
    return t->palettes[i].palette;
}

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
    static struct palette_test test;
    const struct part *part = argc > 1 ? find_part(argv[1]) : NULL;
    if (!part) {
        printf("usage: gpu_palette PART... [--all | --few | ROUNDS]\n");
        return 1;
    }
    harness_init(&test.h, !part->has_own_queue);
    int i = 1;
    test.all = strcmp(argv[argc - 1], "--all") == 0;
    test.few = strcmp(argv[argc - 1], "--few") == 0;
    test.rounds = atoi(argv[argc - 1]);
    for (; i < argc && (part = find_part(argv[i])); i++) {
        printf("-- %s\n", part->name);
        part->run(&test);
    }
    while (test.num_palettes > 0) {
        weir_palette_destroy(&test.palettes[--test.num_palettes].palette);
    }
    return harness_finish(&test.h);
}
