// SPDX-License-Identifier: MIT
// --install: after it, WEIR_RECORD=1 in the environment of any program of this user records it.
#include "capture/weir/record/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weir/version.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/layer.h"
#include "capture/weir/common/report.h"

// Texts of JSON escape these.
static bool is_plain(const char *text)
{
    return !strpbrk(text, "\"\\") && text[strcspn(text, "\n\r\t")] == 0;
}

static enum cli_status write_manifest(const char *manifest, const char *library, int bits)
{
    char *text = NULL;
    const int size = asprintf(
        &text,
        "{\n"
        "    \"file_format_version\": \"1.2.1\",\n"
        "    \"layer\": {\n"
        "        \"name\": \"" CLI_LAYER_NAME "\",\n"
        "        \"type\": \"GLOBAL\",\n"
        "        \"library_path\": \"%s\",\n"
        "        \"library_arch\": \"%d\",\n"
        "        \"api_version\": \"1.3.239\",\n"
        "        \"implementation_version\": \"1\",\n"
        "        \"description\": \"weir record %s, where WEIR_RECORD=1\",\n"
        "        \"enable_environment\": { \"WEIR_RECORD\": \"1\" },\n"
        "        \"disable_environment\": { \"DISABLE_WEIR_RECORD\": \"1\" }\n"
        "    }\n"
        "}\n",
        library, bits, weir_version());
    if (size < 0) {
        return cli_fail(CLI_FAILED, "no memory for the manifest");
    }
    const enum weir_result result = cli_file_write(manifest, text, (size_t)size);
    free(text);
    return cli_status_of(result);
}

// If the layer for programs of 32 bits is installed beside the other one.
static enum cli_status install_32(const char *folder)
{
    struct cli_layer layer;
    char manifest[PATH_MAX], path[PATH_MAX + sizeof(CLI_LAYER_MANIFEST_32)];
    snprintf(path, sizeof(path), "%s/" CLI_LAYER_MANIFEST_32, folder);
    cli_layer_read(&layer, path);
    return cli_layer_user_manifest(CLI_LAYER_MANIFEST_32, manifest) && is_plain(layer.library) &&
                   layer.library[0]
               ? write_manifest(manifest, layer.library, 32)
               : CLI_DONE;
}

enum cli_status record_install(void)
{
    struct cli_layer layer;
    char manifest[PATH_MAX];
    cli_layer_find(&layer);
    enum cli_status status = CLI_FAILED;
    if (!cli_layer_user_manifest(CLI_LAYER_MANIFEST, manifest)) {
        cli_report_error("the variable HOME is not set");
    } else if (!layer.library[0]) {
        cli_report_error("the layer is not in %s: install all of Weir (./dev install PREFIX)",
                         layer.folder);
    } else if (!is_plain(layer.library)) {
        cli_report_error("the path %s cannot be written into a manifest: install Weir to a folder "
                         "without quotation marks and backslashes",
                         layer.library);
    } else if (!cli_make_folders(manifest, 0777)) {
        cli_report_error("the folder of %s cannot be made: %s", manifest, strerror(errno));
    } else {
        status = write_manifest(manifest, layer.library, (int)(8 * sizeof(void *)));
    }
    if (status == CLI_DONE) {
        status = install_32(layer.folder);
    }
    if (status == CLI_DONE) {
        printf("%s: WEIR_RECORD=1 records any program from now on\n", manifest);
    }
    return status;
}

enum cli_status record_uninstall(void)
{
    char manifest[PATH_MAX];
    if (cli_layer_user_manifest(CLI_LAYER_MANIFEST_32, manifest)) {
        unlink(manifest);
    }
    if (!cli_layer_user_manifest(CLI_LAYER_MANIFEST, manifest)) {
        return cli_fail(CLI_FAILED, "the variable HOME is not set");
    }
    if (unlink(manifest) == 0) {
        printf("%s is removed\n", manifest);
    } else if (errno == ENOENT) {
        printf("%s is not there\n", manifest);
    } else {
        return cli_fail(CLI_FAILED, "%s cannot be removed: %s", manifest, strerror(errno));
    }
    return CLI_DONE;
}
