// SPDX-License-Identifier: MIT
// Runs weir record as its command line says: a recording, or a word to one that runs.
#include "capture/weir/record/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/output.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/control.h"
#include "capture/weir/record/server.h"
#include "capture/weir/record/settings.h"

static enum cli_status complain(const char *what, const char *text)
{
    cli_print(stderr, "weir record: %s: %s\n", what, text);
    return CLI_USAGE;
}

// The movie is made when the first frame comes: what can be known before is told at once.
static enum cli_status check_output(const char *output)
{
    if (!output || cli_output_is_named_folder(output)) {
        return CLI_DONE;
    }
    if (!cli_output_ends_in(output, ".mov")) {
        return complain(output, "the output is a QuickTime movie, its name ends in .mov, or a "
                                "folder that is there");
    }
    const char *slash = strrchr(output, '/');
    char *folder = slash ? strndup(output, (size_t)(slash + 1 - output)) : strdup(".");
    const bool is_there = folder && access(folder, W_OK) == 0;
    if (!is_there) {
        cli_report_error("nothing can be written to the folder %s: %s", folder ? folder : output,
                         strerror(errno));
    }
    free(folder);
    return is_there ? CLI_DONE : CLI_FAILED;
}

static enum cli_status ask(char **arguments, const struct record_options *options)
{
    const enum record_verb verb = (enum record_verb)options->verb;
    const bool has_argument = arguments[0] != NULL;
    if (has_argument && arguments[1]) {
        return complain(arguments[1], "--ctl takes one argument at most; quote a title of several "
                                      "words");
    }
    if (has_argument && verb != RECORD_MARK && verb != RECORD_REPLAY) {
        return complain(arguments[0], "only --ctl mark and --ctl replay take an argument");
    }
    if (verb == RECORD_REPLAY && (!has_argument || !cli_output_ends_in(arguments[0], ".mov"))) {
        return complain("--ctl replay", "name the movie to make, which ends in .mov");
    }
    return record_control_ask(verb, arguments[0], options->verb_process, options->json);
}

enum cli_status record_command_run(char **arguments, const void *values)
{
    const struct record_options *options = values;
    if (options->verb >= 0) {
        return ask(arguments, options);
    }
    if (!arguments[0]) {
        return complain("PROGRAM", "name the program to record: weir record -- PROGRAM");
    }
    struct record_settings settings;
    enum cli_status status = check_output(options->output);
    status = status == CLI_DONE ? record_settings_make(options, &settings) : status;
    // The status of the program, which can be any, is that of the command.
    return status == CLI_DONE ? (enum cli_status)record_run(&settings, arguments) : status;
}
