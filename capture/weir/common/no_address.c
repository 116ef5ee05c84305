// SPDX-License-Identifier: MIT
// No addresses: this system has no libweir-libav.
#include "capture/weir/common/address.h"

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
