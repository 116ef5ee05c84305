// SPDX-License-Identifier: MIT
// The steps by which a capture that falls behind degrades before it drops frames, and by which it
// takes them back.
#include "capture/stream/degrade/steps.h"

#define SECOND_NS UINT64_C(1000000000)

// A measurement is of this many packets. After a change of compression the next two are left out:
// one was being built then.
#define WINDOW_PACKETS 8
#define SETTLING_PACKETS 2

#define MIN_HOLD_NS (2 * SECOND_NS)
#define MAX_HOLD_NS (64 * SECOND_NS)
#define MIN_WAIT_NS (16 * SECOND_NS)
#define MAX_WAIT_NS (256 * SECOND_NS)

// The writer is the one behind if it is at work for this part of the time, and there is room for
// more work if it would be for no more than that one.
#define BUSY_PERCENT 60
#define ROOM_PERCENT 90
// What a change of compression must gain.
#define MIN_GAIN_PERCENT 5

void weir_degrade_init(struct weir_degrade *degrade, uint32_t num_slots, bool is_compressed)
{
    const uint32_t low = (num_slots - 1) / 2;
    *degrade = (struct weir_degrade){
        .is_compressed = is_compressed,
        .is_asked = is_compressed,
        .low = low > 0 ? low : 1,
        .hold_ns = MIN_HOLD_NS,
        .wait_ns = MIN_WAIT_NS,
    };
    degrade->high = degrade->low + 1;
    degrade->most = num_slots - 1 > degrade->high ? num_slots - 1 : degrade->high;
}

static uint64_t work_ns(const struct weir_degrade_load *begin, const struct weir_degrade_load *end)
{
    return end->pack_ns - begin->pack_ns + (end->write_ns - begin->write_ns);
}

static void measure(struct weir_degrade *degrade, const struct weir_degrade_load *load)
{
    if (load->num_packets < degrade->first_packet || degrade->begin.now_ns == 0) {
        degrade->begin = *load;
    }
    const uint64_t num = load->num_packets - degrade->begin.num_packets;
    if (num < WINDOW_PACKETS) {
        return;
    }
    const uint64_t work = work_ns(&degrade->begin, load);
    degrade->has_cost = true;
    degrade->cost_ns = work / num;
    degrade->pack_ns = (load->pack_ns - degrade->begin.pack_ns) / num;
    degrade->is_busy = work >= (load->now_ns - degrade->begin.now_ns) / 100 * BUSY_PERCENT;
    degrade->begin = *load;
}

static void change_compression(struct weir_degrade *degrade, const struct weir_degrade_load *load)
{
    degrade->is_compressed = !degrade->is_compressed;
    degrade->first_packet = load->num_packets + SETTLING_PACKETS;
    degrade->has_cost = false;
}

// Each step that is taken back makes the next one wait for longer.
static void note_restored(struct weir_degrade *degrade, uint64_t now_ns)
{
    degrade->is_calm = false;
    degrade->restored_ns = now_ns;
    degrade->hold_ns = degrade->hold_ns < MAX_HOLD_NS ? 2 * degrade->hold_ns : MAX_HOLD_NS;
}

// End a trial whose packets have been measured. True: the change was taken back.
static bool judge_trial(struct weir_degrade *degrade, const struct weir_degrade_load *load)
{
    if (!degrade->is_trial || !degrade->has_cost) {
        return false;
    }
    degrade->is_trial = false;
    if (degrade->cost_ns <= degrade->asked_cost_ns / 100 * (100 - MIN_GAIN_PERCENT)) {
        degrade->wait_ns = MIN_WAIT_NS;
        return false;
    }
    change_compression(degrade, load);
    degrade->retry_at_ns = load->now_ns + degrade->wait_ns;
    degrade->wait_ns = degrade->wait_ns < MAX_WAIT_NS ? 2 * degrade->wait_ns : MAX_WAIT_NS;
    return true;
}

// True if another compression than the one that was asked for may make packets cheaper.
static bool may_change(const struct weir_degrade *degrade, uint64_t now_ns)
{
    const bool packing_is_most = degrade->pack_ns >= degrade->cost_ns - degrade->pack_ns;
    return degrade->is_compressed == degrade->is_asked && degrade->has_cost &&
           now_ns >= degrade->retry_at_ns && packing_is_most == degrade->is_asked;
}

static enum weir_degrade_step begin_trial(struct weir_degrade *degrade,
                                          const struct weir_degrade_load *load)
{
    degrade->is_trial = true;
    degrade->asked_cost_ns = degrade->cost_ns;
    change_compression(degrade, load);
    return WEIR_DEGRADE_COMPRESSION;
}

// True if the writer would have time for `work` in the time since calm began.
static bool has_room(const struct weir_degrade *degrade, const struct weir_degrade_load *load,
                     uint64_t work)
{
    return work <= (load->now_ns - degrade->calm.now_ns) / 100 * ROOM_PERCENT;
}

static enum weir_degrade_step take_back(struct weir_degrade *degrade,
                                        const struct weir_degrade_load *load)
{
    const uint64_t num = load->num_packets - degrade->calm.num_packets;
    const uint64_t calm_ns = load->now_ns - degrade->calm.now_ns;
    if (degrade->is_half) {
        if (!has_room(degrade, load, 2 * work_ns(&degrade->calm, load))) {
            degrade->calm = *load; // look again after as long
            return may_change(degrade, load->now_ns) ? begin_trial(degrade, load)
                                                     : WEIR_DEGRADE_NONE;
        }
        degrade->is_half = false;
        note_restored(degrade, load->now_ns);
        return WEIR_DEGRADE_FULL_RATE;
    }
    // What compression costs was measured long ago: in the end it is tried again.
    if (degrade->is_compressed == degrade->is_asked || degrade->is_trial ||
        (calm_ns < MAX_HOLD_NS && !has_room(degrade, load, num * degrade->asked_cost_ns))) {
        return WEIR_DEGRADE_NONE;
    }
    change_compression(degrade, load);
    note_restored(degrade, load->now_ns);
    return WEIR_DEGRADE_RESTORED;
}

static void follow_calm(struct weir_degrade *degrade, const struct weir_degrade_load *load)
{
    if (load->fill > degrade->low) {
        degrade->is_calm = false;
    } else if (!degrade->is_calm) {
        degrade->is_calm = true;
        degrade->calm = *load;
    }
    const bool is_degraded = degrade->is_half || degrade->is_compressed != degrade->is_asked;
    if (!is_degraded && load->now_ns - degrade->restored_ns >= MAX_HOLD_NS) {
        degrade->hold_ns = MIN_HOLD_NS;
    }
}

enum weir_degrade_step weir_degrade_update(struct weir_degrade *degrade,
                                           const struct weir_degrade_load *load)
{
    measure(degrade, load);
    if (judge_trial(degrade, load)) {
        return WEIR_DEGRADE_USELESS;
    }
    follow_calm(degrade, load);
    if (load->fill >= degrade->high && degrade->is_busy && may_change(degrade, load->now_ns)) {
        return begin_trial(degrade, load);
    }
    if (load->fill >= degrade->most && !degrade->is_half) {
        degrade->is_half = true;
        degrade->skips_next = true; // the frame before was taken
        return WEIR_DEGRADE_HALF_RATE;
    }
    if (degrade->is_calm && load->now_ns - degrade->calm.now_ns >= degrade->hold_ns) {
        return take_back(degrade, load);
    }
    return WEIR_DEGRADE_NONE;
}

bool weir_degrade_takes(const struct weir_degrade *degrade)
{
    return !degrade->is_half || !degrade->skips_next;
}

void weir_degrade_pass(struct weir_degrade *degrade)
{
    degrade->skips_next = weir_degrade_takes(degrade);
}
