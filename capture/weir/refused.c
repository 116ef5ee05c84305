// SPDX-License-Identifier: MIT
// What this system cannot have: weir record, weir play, and addresses.
#include "capture/weir/commands.h"
#include "capture/weir/common/address.h"
#include "capture/weir/common/report.h"

static enum cli_status refuse(char **arguments, const void *values)
{
    (void)arguments;
    (void)values;
    return cli_fail(CLI_USAGE, "this command works on Linux only; its --help names another way");
}

const struct cli_command cli_record_command = {
    .name = "record",
    .arguments = "",
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "works on Linux only, and records programs of Windows there",
    .about = "On Linux it records programs, those of Windows by Wine.\n",
    .example = "  weir record -- wine game.exe\n",
    .run = refuse,
    .defaults = "",
    .values_size = 1,
};

const struct cli_command cli_play_command = {
    .name = "play",
    .arguments = "",
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "works on Linux only",
    .about = "On Linux it plays HAP movies; here mpv and HAP players do.\n",
    .example = "  mpv clip.mov\n",
    .run = refuse,
    .defaults = "",
    .values_size = 1,
};

bool cli_address_is(const char *output)
{
    (void)output;
    return false;
}

enum cli_status cli_receiver_choose(struct cli_receiver *receiver, const char *output,
                                    const char *also, const char *format)
{
    (void)output;
    *receiver = (struct cli_receiver){.address = NULL};
    return also || format ? cli_usage(also ? "--also" : "--format", "it works on Linux only")
                          : CLI_DONE;
}

enum weir_result cli_receiver_open(const struct cli_receiver *receiver, bool is_live,
                                   bool (*is_over)(void *user), void *user,
                                   struct weir_capture_params *capture, weir_libav **libav)
{
    (void)receiver, (void)is_live, (void)is_over, (void)user, (void)capture, (void)libav;
    return WEIR_OK;
}

struct weir_libav_stats cli_receiver_close(weir_libav **libav)
{
    (void)libav;
    return (struct weir_libav_stats){0};
}

void cli_receiver_report(const struct cli_receiver *receiver, const struct weir_libav_stats *sent)
{
    (void)receiver, (void)sent;
}
