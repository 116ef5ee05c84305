// SPDX-License-Identifier: MIT
// The steps by which a capture that falls behind degrades before it drops frames, and by which it
// takes them back. Without threads and clocks: times and loads come in, decisions go out.
#ifndef WEIR_CAPTURE_STREAM_DEGRADE_STEPS_H
#define WEIR_CAPTURE_STREAM_DEGRADE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum weir_degrade_step {
    WEIR_DEGRADE_NONE,
    WEIR_DEGRADE_COMPRESSION, // compression is turned off if it was asked for, else on
    WEIR_DEGRADE_HALF_RATE,   // every second frame is left out
    WEIR_DEGRADE_FULL_RATE,   // no longer
    WEIR_DEGRADE_RESTORED,    // compression is as asked for again
    WEIR_DEGRADE_USELESS,     // the same, because the change has not helped
};

// The load as of one frame. The totals are those of the writer's thread.
struct weir_degrade_load {
    uint64_t now_ns;
    uint32_t fill; // slots in use
    uint64_t num_packets;
    uint64_t pack_ns, write_ns; // what building packets and writing them took so far
};

struct weir_degrade {
    bool is_compressed, is_half; // the decisions
    bool is_asked;               // compression as it was asked for
    uint32_t low, high, most;    // of the fill: calm up to `low`, first step, second step

    // What packets take, measured over some of them that were built in the same way.
    struct weir_degrade_load begin; // of the measurement
    uint64_t first_packet;          // that counts after a change
    bool has_cost;
    uint64_t cost_ns, pack_ns; // of a packet: packing and writing, and the first alone
    bool is_busy;              // the writer spends most of its time so

    bool is_trial;                 // compression was changed, and nobody knows yet if it helps
    uint64_t asked_cost_ns;        // of a packet before the change
    uint64_t retry_at_ns, wait_ns; // when the next trial may begin, and how long the next wait is

    bool is_calm;
    struct weir_degrade_load calm; // since when
    uint64_t hold_ns;              // how long calm must last
    uint64_t restored_ns;          // when the last step was taken back
    bool skips_next;
};

// For a ring of `num_slots`, at least 2.
void weir_degrade_init(struct weir_degrade *degrade, uint32_t num_slots, bool is_compressed);

// Follow the load; call it for every frame. At most one step a call. Times do not go back.
//
// The first step is taken when more than half of the slots are in use, where the writer is what is
// behind: compression is turned off if it takes most of the writer's time, and turned on if writing
// does; packets after it must cost less, or it is taken back. The second step, half the rate, is
// taken when one slot is left; where the first was not taken by then it is tried later.
//
// Steps are taken back in the opposite order, each after at most half of the slots were in use for
// 2 s on end, and where what was measured says that there is room for it. This time doubles with
// each step taken back, up to 64 s, and is 2 s again after 64 s without a step. So within any
// minute there are some steps at most, whatever the load does.
enum weir_degrade_step weir_degrade_update(struct weir_degrade *degrade,
                                           const struct weir_degrade_load *load);

// True if the next frame is to be recorded: every one, or every second one.
bool weir_degrade_takes(const struct weir_degrade *degrade);

// Go on to the frame after it.
void weir_degrade_pass(struct weir_degrade *degrade);

#endif
