// SPDX-License-Identifier: MIT
// Runs weir record as its command line says: a recording, or a word to one that runs.
#include "capture/weir/record/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/output.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/control.h"
#include "capture/weir/record/install.h"
#include "capture/weir/record/server.h"
#include "capture/weir/record/settings.h"

// The movie is made when the first frame comes: what can be known before is reported at once.
static enum cli_status check_output(const char *output)
{
    if (!output || cli_output_is_named_folder(output)) {
        return CLI_DONE;
    }
    if (!cli_output_ends_in(output, ".mov")) {
        return cli_usage(output, "the output is a QuickTime movie, its name ends in .mov, or a "
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
        return cli_usage(arguments[1], "--ctl takes one argument at most; quote a title of several "
                                       "words");
    }
    if (has_argument && verb != RECORD_MARK && verb != RECORD_REPLAY) {
        return cli_usage(arguments[0], "only --ctl mark and --ctl replay take an argument");
    }
    if (verb == RECORD_REPLAY && (!has_argument || !cli_output_ends_in(arguments[0], ".mov"))) {
        return cli_usage("--ctl replay", "name the movie to make, which ends in .mov");
    }
    return record_control_ask(verb, arguments[0], options->verb_process, options->json);
}

// Go on in a process that is no child of whoever started this one, to record `served`. Prints the
// reason of a failure.
static bool leave_parent(uint64_t served)
{
    if (kill((pid_t)served, 0) != 0) {
        cli_report_error("process %d cannot be recorded: %s", (int)served, strerror(errno));
        return false;
    }
    fflush(NULL);
    const pid_t process = fork();
    if (process > 0) {
        _exit(CLI_DONE);
    }
    if (process < 0) {
        cli_report_error("no process can be made: %s", strerror(errno));
    }
    return process == 0;
}

enum cli_status record_command_run(char **arguments, const void *values)
{
    const struct record_options *options = values;
    if (options->verb >= 0) {
        return ask(arguments, options);
    }
    if (options->install || options->uninstall) {
        return options->install ? record_install() : record_uninstall();
    }
    if (!arguments[0] == (options->served == 0)) {
        return options->served == 0
                   ? cli_usage("PROGRAM", "name the program to record: weir record -- PROGRAM")
                   : cli_usage(arguments[0], "--serve records a program that runs already");
    }
    struct record_settings settings;
    enum cli_status status = check_output(options->output);
    status = status == CLI_DONE ? record_settings_make(options, &settings) : status;
    if (status == CLI_DONE && options->served != 0 && !leave_parent(options->served)) {
        return CLI_FAILED;
    }
    // The status of the program, which can be any, is that of the command.
    return status == CLI_DONE ? (enum cli_status)record_run(&settings, arguments) : status;
}
