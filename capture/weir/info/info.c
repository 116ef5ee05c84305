// SPDX-License-Identifier: MIT
// weir info: the devices, what each part of Weir uses of them, and what is missing; movies and
// textures.
#include <stdio.h>
#include <string.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/info/info.h"

struct info_options {
    bool json, warm;
    uint64_t device;
};

static const struct cli_option options[] = {
    CLI_OPTION_JSON(struct info_options),
    {"warm", CLI_FLAG, offsetof(struct info_options, warm),
     .help = "compile the kernels of all commands, or of the codecs that are named, and keep them"},
    CLI_OPTION_DEVICE(struct info_options),
};

enum { MAX_DEVICES = 16 };

static void print_queues(const struct weir_device_entry *entry)
{
    for (uint32_t i = 0; i < entry->num_queue_families; i++) {
        const VkQueueFamilyProperties *family = &entry->queue_families[i];
        char kinds[128];
        cli_queue_kinds(family->queueFlags, kinds, sizeof(kinds));
        printf("  %-12s family %u: %s, %u queue%s\n", i == 0 ? "queues" : "", i, kinds,
               family->queueCount, family->queueCount == 1 ? "" : "s");
    }
}

// The commands that suffer where a thing is missing that Weir requires or recommends.
static const char *find_user(const char *requirement)
{
    static const struct {
        const char *requirement, *user;
    } users[] = {
        {"1.2", "every command, which fails without it"},
        {"timelineSemaphore", "every command, which fails without it"},
        {"shaderStorageImageWriteWithoutFormat",
         "weir palette, which fails without it; weir mips, texture --mips, which use blits then"},
        {"shaderStorageImageArrayDynamicIndexing",
         "weir mips, texture --mips, which work without it; programs that batch pyramids"},
        {"shaderSampledImageArrayDynamicIndexing", "programs that batch pyramids"},
        {"shaderInt64", "weir palette, which fails without it"},
        {"shaderBufferInt64Atomics", "weir palette, which works without it"},
        {"subgroupSizeControl", "weir mips, texture --mips, palette, which work without it"},
        {"VK_EXT_subgroup_size_control",
         "weir mips, texture --mips, palette, which work without it"},
        {"VK_KHR_swapchain_mutable_format", "programs that capture their window"},
        {"VK_KHR_image_format_list", "programs that capture their window"},
    };
    for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
        if (strcmp(users[i].requirement, requirement) == 0) {
            return users[i].user;
        }
    }
    return NULL;
}

static bool is_missing(const struct weir_device_entry *entry, size_t requirement)
{
    return (entry->met >> requirement & 1) == 0;
}

// Print whether each is there, what it is for and what uses it, and what is missing once more.
static void print_requirements(const struct weir_device_entry *entry)
{
    size_t num;
    const struct weir_requirement *list = weir_requirement_list(&num);
    const char *label = "missing";
    for (size_t i = 0; i < num; i++) {
        const bool is_version = list[i].kind == WEIR_REQUIREMENT_VERSION;
        const char *user = find_user(list[i].name);
        printf("  %-12s %s%s: %s\n", list[i].required ? "required" : "recommended",
               is_version ? "Vulkan " : "", list[i].name, is_missing(entry, i) ? "missing" : "yes");
        printf("  %-12s   %s\n", "", list[i].purpose);
        printf("  %-12s   used by %s\n", "", user ? user : "no command");
    }
    for (size_t i = 0; i < num; i++) {
        const char *user = find_user(list[i].name);
        if (is_missing(entry, i)) {
            printf("  %-12s %s%s%s\n", label, list[i].name, user ? ": used by " : "",
                   user ? user : "");
            label = "";
        }
    }
    if (label[0] != 0) {
        printf("  %-12s nothing\n", label);
    }
}

static void print_device(const struct cli_device_report *report, uint32_t index)
{
    const struct weir_device_entry *entry = &report->entry;
    printf("\nDevice %u: %s (%s)\n", index, entry->name, cli_device_type(entry->type));
    printf("  %-12s %s\n", "driver", entry->driver);
    printf("  %-12s %u.%u.%u\n", "Vulkan", VK_API_VERSION_MAJOR(entry->api_version),
           VK_API_VERSION_MINOR(entry->api_version), VK_API_VERSION_PATCH(entry->api_version));
    print_queues(entry);
    if (report->obstacle[0] != 0) {
        printf("  %-12s no: %s\n", "usable", report->obstacle);
    } else {
        printf("  %-12s yes\n", "usable");
    }
    if (report->opened) {
        printf("  %-12s family %u, %s\n", "encode", report->queue.family,
               report->async ? "asynchronous: beside the renderer, ownership handed over"
                             : "shared with the renderer: there is no compute-only family");
        printf("  %-12s family %u, %s, then %s\n", "readback", report->copy_family,
               report->copy_family != report->queue.family ? "beside the encoder"
                                                           : "behind the encoder",
               entry->host_cached ? "cached host memory"
                                  : "uncached host memory, which is slow to read");
        printf("  %-12s family %u, from coherent host memory (weir transcode only)\n", "upload",
               report->queue.family);
    }
    printf("  %-12s decided per surface: with SAMPLED usage it is read in place, else copied once "
           "on the GPU\n",
           "swapchain");
    printf("  %-12s %u texels a side, storage buffers of %.0f MB\n", "limits",
           entry->max_image_side, (double)entry->max_storage_buffer / 1e6);
    if (report->opened) {
        printf("  %-12s ", "pyramids");
        cli_print_names(report->pyramid_formats, report->num_pyramid_formats, 15, 15, stdout);
        fputc('\n', stdout);
    }
    print_requirements(entry);
}

static void write_queues(struct weir_json *json, const struct weir_device_entry *entry)
{
    weir_json_begin_array(json, "queue_families");
    for (uint32_t i = 0; i < entry->num_queue_families; i++) {
        const VkQueueFamilyProperties *family = &entry->queue_families[i];
        weir_json_begin_object(json, NULL);
        weir_json_integer(json, "family", i);
        weir_json_bool(json, "graphics", (family->queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0);
        weir_json_bool(json, "compute", (family->queueFlags & VK_QUEUE_COMPUTE_BIT) != 0);
        weir_json_bool(json, "transfer", (family->queueFlags & VK_QUEUE_TRANSFER_BIT) != 0);
        weir_json_integer(json, "num_queues", family->queueCount);
        weir_json_integer(json, "timestamp_bits", family->timestampValidBits);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static void write_uses(struct weir_json *json, const struct cli_device_report *report)
{
    weir_json_begin_object(json, "uses");
    weir_json_integer(json, "encode_family", report->queue.family);
    weir_json_integer(json, "readback_family", report->copy_family);
    weir_json_integer(json, "upload_family", report->queue.family);
    weir_json_bool(json, "async", report->async);
    weir_json_bool(json, "readback_memory_cached", report->entry.host_cached);
    weir_json_text(json, "swapchain", "decided per surface: SAMPLED usage");
    weir_json_end_object(json);
}

static void write_requirements(struct weir_json *json, const struct weir_device_entry *entry)
{
    size_t num;
    const struct weir_requirement *list = weir_requirement_list(&num);
    weir_json_begin_array(json, "requirements");
    for (size_t i = 0; i < num; i++) {
        weir_json_begin_object(json, NULL);
        weir_json_text(json, "name", list[i].name);
        weir_json_bool(json, "required", list[i].required);
        weir_json_text(json, "state", is_missing(entry, i) ? "missing" : "yes");
        weir_json_text(json, "used_by", find_user(list[i].name));
        weir_json_text(json, "purpose", list[i].purpose);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static void print_codecs(void)
{
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    printf("\nMovie codecs\n");
    for (size_t i = 0; i < num_codecs; i++) {
        printf("  %-14s %s%s\n", codecs[i].name, codecs[i].description,
               codecs[i].ffmpeg_decodes ? "" : "; FFmpeg does not decode it");
    }
}

static void write_codecs(struct weir_json *json)
{
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    weir_json_begin_array(json, "movie_codecs");
    for (size_t i = 0; i < num_codecs; i++) {
        weir_json_begin_object(json, NULL);
        weir_json_text(json, "name", codecs[i].name);
        weir_json_text(json, "codec_tag", cli_movie_codec_fourcc(&codecs[i]).text);
        weir_json_text(json, "description", codecs[i].description);
        weir_json_bool(json, "alpha", codecs[i].has_alpha);
        weir_json_bool(json, "ffmpeg_decodes", codecs[i].ffmpeg_decodes);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static void write_device(struct weir_json *json, const struct cli_device_report *report,
                         uint32_t index)
{
    const struct weir_device_entry *entry = &report->entry;
    char version[32];
    snprintf(version, sizeof(version), "%u.%u.%u", VK_API_VERSION_MAJOR(entry->api_version),
             VK_API_VERSION_MINOR(entry->api_version), VK_API_VERSION_PATCH(entry->api_version));
    weir_json_begin_object(json, NULL);
    weir_json_integer(json, "index", index);
    weir_json_text(json, "name", entry->name);
    weir_json_text(json, "type", cli_device_type(entry->type));
    weir_json_text(json, "driver", entry->driver);
    weir_json_text(json, "vulkan", version);
    weir_json_bool(json, "usable", report->obstacle[0] == 0);
    weir_json_text(json, "obstacle", report->obstacle[0] != 0 ? report->obstacle : NULL);
    weir_json_bool(json, "timeline_semaphore", entry->timeline_semaphore);
    weir_json_integer(json, "max_image_side", entry->max_image_side);
    weir_json_integer(json, "max_storage_buffer", entry->max_storage_buffer);
    write_queues(json, entry);
    if (report->opened) {
        write_uses(json, report);
    }
    weir_json_begin_array(json, "pyramid_formats");
    for (size_t i = 0; i < report->num_pyramid_formats; i++) {
        weir_json_text(json, NULL, report->pyramid_formats[i]);
    }
    weir_json_end_array(json);
    write_requirements(json, entry);
    weir_json_end_object(json);
}

// Files, of which one that fails does not stop the others. Returns the first failure.
static enum weir_result print_files(char *const *paths, bool as_json)
{
    struct weir_json json = {.out = stdout};
    enum weir_result first = WEIR_OK;
    if (as_json) {
        weir_json_begin_array(&json, NULL);
    }
    for (; *paths; paths++) {
        const enum weir_result result = info_file_print(*paths, as_json ? &json : NULL);
        first = first == WEIR_OK ? result : first;
    }
    if (as_json) {
        weir_json_end_array(&json);
    }
    return first;
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct info_options *asked = values;
    if (asked->warm) {
        return info_warm(arguments, (uint32_t)asked->device);
    }
    if (arguments[0]) {
        return cli_status_of(print_files(arguments, asked->json));
    }
    struct weir_device_entry entries[MAX_DEVICES];
    uint32_t num = MAX_DEVICES;
    if (weir_device_list(NULL, &cli_log, entries, &num) != WEIR_OK) {
        return CLI_FAILED;
    }

    struct weir_json json = {.out = stdout};
    if (asked->json) {
        weir_json_begin_object(&json, NULL);
        weir_json_text(&json, "version", weir_version());
        weir_json_text(&json, "commit", cli_build_commit);
        weir_json_begin_array(&json, "devices");
    } else {
        printf("weir %s (%s)\n", weir_version(), cli_build_commit);
    }
    bool usable = false;
    for (uint32_t i = 0; i < num; i++) {
        struct cli_device_report report;
        cli_device_report_make(&report, &entries[i], i);
        usable = usable || report.obstacle[0] == 0;
        if (asked->json) {
            write_device(&json, &report, i);
        } else {
            print_device(&report, i);
        }
    }
    if (asked->json) {
        weir_json_end_array(&json);
        write_codecs(&json);
        info_layer_json(&json);
        weir_json_end_object(&json);
    } else {
        print_codecs();
        info_layer_print();
    }
    if (!usable) {
        cli_report_error("none of these devices can be used; a newer driver may help");
    }
    return usable ? CLI_DONE : CLI_FAILED;
}

const struct cli_command cli_info_command = {
    .name = "info",
    .arguments = "[FILE... | CODEC...]",
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "list Vulkan devices, or what movies and textures hold",
    .about =
        "Without arguments it lists the Vulkan devices, and what each lacks. The number of a\n"
        "device is what --device of other commands accepts; 0 is the best one. The status is\n"
        "1 if Weir can use none.\n\n"
        "Of each HAP movie it prints codec, size, frames, audio and chapters; of each texture\n"
        "(.ktx2, .dds, .ktx) its format, size, images and mip levels. Neither needs a device.\n\n"
        "With --warm it fills the cache of kernels, so that no other command compiles any.\n",
    .example = "  weir info\n"
               "  weir info take.*.mov\n"
               "  weir info --json | python3 -m json.tool\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct info_options){.json = false},
    .values_size = sizeof(struct info_options),
    .files = {"*", "*"},
};
