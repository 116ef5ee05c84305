// SPDX-License-Identifier: MIT
// weir record: records what a Vulkan program presents, which knows nothing of Weir.
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/address.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/record/record.h"
#include "capture/weir/record/server.h"

// The movie is made when the first frame comes: what can be known before is reported at once.
static enum cli_status check_output(const char *output)
{
    if (!output || cli_output_is_named_folder(output) || cli_address_is(output)) {
        return CLI_DONE;
    }
    if (!cli_output_ends_in(output, ".mov")) {
        return cli_usage(output, "the output is a QuickTime movie, its name ends in .mov, or a "
                                 "folder that is there");
    }
    char *folder = weir_path_folder(output);
    const bool is_there = folder && access(folder, W_OK) == 0;
    if (!is_there) {
        cli_report_error("nothing can be written to the folder %s: %s", folder ? folder : output,
                         strerror(errno));
    }
    free(folder);
    return is_there ? CLI_DONE : CLI_FAILED;
}

static enum cli_status ask(char **arguments, const struct record_options *chosen)
{
    const enum record_verb verb = (enum record_verb)chosen->verb;
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
    return record_control_ask(verb, arguments[0], chosen->verb_process, chosen->json);
}

// Go on in a process that is no child of whoever started this one, to record `served`. Prints the
// reason of a failure.
static bool leave_parent(uint64_t served)
{
    if (kill((pid_t)served, 0) != 0) {
        return cli_fail(false, "process %d cannot be recorded: %s", (int)served, strerror(errno));
    }
    fflush(NULL);
    const pid_t process = fork();
    if (process > 0) {
        _exit(CLI_DONE);
    }
    if (process < 0) {
        cli_report_error("cannot start a process: %s", strerror(errno));
    }
    return process == 0;
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct record_options *chosen = values;
    if (chosen->verb >= 0) {
        return ask(arguments, chosen);
    }
    if (chosen->install || chosen->uninstall) {
        return chosen->install ? record_install() : record_uninstall();
    }
    if (!arguments[0] == (chosen->served == 0)) {
        return chosen->served == 0
                   ? cli_usage("PROGRAM", "name the program to record: weir record -- PROGRAM")
                   : cli_usage(arguments[0], "--serve records a program that runs already");
    }
    if (chosen->served != 0) {
        syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0); // what the program had open
    }
    struct record_settings settings;
    enum cli_status status = check_output(chosen->output);
    status = status == CLI_DONE ? record_settings_make(chosen, &settings) : status;
    if (status == CLI_DONE && chosen->served != 0 && !leave_parent(chosen->served)) {
        return CLI_FAILED;
    }
    // The status of the program, which can be any, is that of the command.
    return status == CLI_DONE ? (enum cli_status)record_run(&settings, arguments) : status;
}

static const char *const policy_names[] = {[LINK_DROP] = "drop", [LINK_WAIT] = "wait", NULL};
static const char *const size_names[] = {"1", "1/2", "1/4", "1/8", "1/16", NULL};
static const char *const resize_names[] = {
    [WEIR_RESIZE_NEW] = "new", [WEIR_RESIZE_FIT] = "fit", [WEIR_RESIZE_PAD] = "pad", NULL};
_Static_assert(sizeof(size_names) / sizeof(size_names[0]) == LINK_MAX_LEVEL + 2, "of each level");
static const char *const audio_names[] = {[RECORD_AUDIO_NONE] = "none",
                                          [RECORD_AUDIO_PROGRAM] = "program",
                                          [RECORD_AUDIO_DESKTOP] = "desktop",
                                          NULL};

#define FIELD(name) offsetof(struct record_options, name)
static const struct cli_option options[] = {
    {"output", CLI_TEXT, FIELD(output), "PATH",
     .help = "the movie (.mov), a folder, - or another address", .files = "mov"},
    {"also", CLI_TEXT, FIELD(also), "ADDRESS",
     .help = "send the first window there too: tcp://:9000?listen"},
    {"format", CLI_TEXT, FIELD(format), "NAME",
     .help = "FFmpeg's muxer for an address: nut, matroska, avi, mov (nut)", .is_rare = true},
    {"live", CLI_TEXT, FIELD(live), "PORT",
     .help = "a page for browsers that shows and controls it; ADDRESS:PORT"},
    CLI_OPTION_CODEC(struct record_options),
    {"effort", CLI_CHOICE, FIELD(effort), "NAME",
     .help = "how long to search for better blocks; costs the program's GPU time (fast)",
     .is_rare = true, .choices = cli_movie_effort_names, .hints = cli_movie_effort_hints},
    {"decoder", CLI_CHOICE, FIELD(decoder), "NAME",
     .help = "decoder for which blocks are optimised", .is_rare = true,
     .choices = cli_decoder_names},
    {"steady", CLI_FLAG, FIELD(steady), .help = "still pictures flicker less", .is_rare = true},
    {"no-dither", CLI_FLAG, FIELD(no_dither),
     .help = "round images of more than 8 bits without dither", .is_rare = true},
    {"policy", CLI_CHOICE, FIELD(policy), "NAME", .help = "on a slow disk: drop frames, or wait",
     .choices = policy_names},
    {"slots", CLI_NUMBER, FIELD(slots), "N", .help = "frames on their way to the disk (8)",
     .is_rare = true, .min = 2, .max = LINK_MAX_SLOTS - 1},
    {"compression", CLI_CHOICE, FIELD(compression), "NAME",
     .help = "second compression, on the processor", .choices = cli_compression_names},
    {"fps", CLI_RATE, FIELD(rate), "N", .help = "at most N frames a second, evenly spaced"},
    {"constant-rate", CLI_FLAG, FIELD(constant_rate),
     .help = "with --fps: exactly N, by repeating missing frames", .is_rare = true},
    {"every", CLI_NUMBER, FIELD(every), "N", .help = "only every Nth presented frame (1)",
     .is_rare = true, .min = 1, .max = 1000000},
    {"size", CLI_CHOICE, FIELD(level), "PART",
     .help = "make frames smaller, to this part of each side (1)", .choices = size_names},
    {"on-resize", CLI_CHOICE, FIELD(resize), "WHAT",
     .help = "another size begins another movie (new), or is made to fit the first size",
     .choices = resize_names},
    {"window", CLI_NUMBER, FIELD(window), "N",
     .help = "only this window, in the order in which they open", .is_rare = true, .min = 1,
     .max = 1000000},
    {"sound", CLI_CHOICE, FIELD(audio), "WHICH",
     .help = "audio by PipeWire: of the program, or of everything (program)",
     .choices = audio_names},
    {"after", CLI_REAL, FIELD(after), "SECONDS", .help = "begin that long after the program",
     .is_rare = true, .real_max = 1e6},
    {"duration", CLI_REAL, FIELD(duration), "SECONDS",
     .help = "end after that, without pauses; the program goes on", .real_max = 1e6},
    {"frames", CLI_NUMBER, FIELD(frames), "N",
     .help = "end when a window has N frames; the program goes on", .is_rare = true, .min = 1,
     .max = INT64_MAX},
    {"paused", CLI_FLAG, FIELD(paused), .help = "begin only at --ctl start, or the signal USR1",
     .is_rare = true},
    {"segment", CLI_REAL, FIELD(segment_s), "SECONDS",
     .help = "several movies of that length; weir join joins them", .real_min = 0.001,
     .real_max = 1e6},
    {"segment-size", CLI_BYTES, FIELD(segment_bytes), "SIZE",
     .help = "several movies of at most that size, such as 4G", .is_rare = true},
    {"replay", CLI_REAL, FIELD(replay_s), "SECONDS",
     .help = "keep the last seconds in memory, for --ctl replay", .real_min = 0.1,
     .real_max = 3600},
    {"sync", CLI_REAL, FIELD(sync_s), "SECONDS",
     .help = "the most that a power cut can lose; 0: the system decides (1)", .is_rare = true,
     .real_max = 3600},
    {"sidecar", CLI_FLAG, FIELD(sidecar),
     .help = "write statistics and dropped frames as JSON to MOVIE.json", .is_rare = true},
    {"gl", CLI_FLAG, FIELD(gl), .help = "record OpenGL through Mesa's zink"},
    {"install", CLI_FLAG, FIELD(install), .help = "let WEIR_RECORD=1 record any program of yours"},
    {"uninstall", CLI_FLAG, FIELD(uninstall), .help = "undo --install", .is_rare = true},
    {"serve", CLI_NUMBER, FIELD(served), "PROCESS",
     .help = "record a process that has the layer; the layer starts this itself", .is_rare = true,
     .min = 1, .max = INT32_MAX},
    {"ctl", CLI_CHOICE, FIELD(verb), "VERB",
     .help = "control a running recorder; mark takes a title, replay a file",
     .choice = record_verb_name},
    {"ctl-pid", CLI_NUMBER, FIELD(verb_process), "N",
     .help = "with --ctl: the recorder of that process (the newest)", .is_rare = true, .min = 1,
     .max = INT32_MAX},
    {"json", CLI_FLAG, FIELD(json),
     .help = "print JSON at the end, or with --ctl status the current state", .is_rare = true},
    CLI_OPTION_QUIET(struct record_options),
};

const struct cli_command cli_record_command = {
    .name = "record",
    .arguments = "-- PROGRAM [ARGUMENT...]",
    .max_arguments = CLI_ANY_NUMBER,
    .has_options_first = true,
    .summary = "record what a Vulkan program shows, without a change to it",
    .about =
        "PROGRAM is started with Weir's Vulkan layer, and each of its windows becomes a HAP\n"
        "movie: PROGRAM-DATE.mov in your folder of videos, or in the current folder. Ctrl-C\n"
        "ends the recording.\n\n"
        "Frames are compressed on the program's own GPU, in its own queue, and written by\n"
        "this command. Options stand before the --; what follows it belongs to the program.\n\n"
        "No file is replaced: if a name exists, -2, -3 and so on is added. If a window\n"
        "changes its size, another movie begins: PROGRAM-DATE.002.mov. See --on-resize.\n\n"
        "If the program crashes, its movie is still closed. If the recorder is killed, the\n"
        "program goes on. The exit status is the program's, or 1 if a movie failed or there\n"
        "is none.\n",
    .example = "  weir record -- vkcube\n"
               "  weir record --output take.mov --duration 60 -- ./game --fullscreen\n"
               "  weir record --ctl pause\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct record_options){.effort = WEIR_EFFORT_FAST,
                                               .audio = -1,
                                               .verb = -1,
                                               .slots = 8,
                                               .every = 1,
                                               .sync_s = 1},
    .values_size = sizeof(struct record_options),
    .files = {"*", "*"},
};
