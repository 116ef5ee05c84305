// SPDX-License-Identifier: MIT
// Degrading, with a renderer, a processor and a disk that are numbers: what is given up, what that
// saves, and that it is taken back, without going to and fro.
#include <inttypes.h>
#include <stdio.h>

#include "capture/stream/degrade/steps.h"
#include "testing.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

enum { FPS = 60, MAX_SLOTS = 64, NUM_STEPS = WEIR_DEGRADE_USELESS + 1 };

// What frames cost in milliseconds, from one time to the next [s].
struct phase {
    uint32_t until;
    uint32_t pack, raw, packed; // to compress; to write one that is stored, and one that is not
    uint32_t gpu;               // until the writer may begin; the GPU does one at a time
};

struct scene {
    const char *name;
    bool is_asked;
    uint32_t num_slots;
    struct phase phases[4];
    uint32_t stall_every, stall; // every so many seconds the disk does nothing for so long [s, ms]
};

struct outcome {
    uint64_t steps[NUM_STEPS], num_steps;
    uint64_t written, dropped, skipped, dropped_at_end; // in the last half
    bool is_half, is_changed;                           // at the end
};

// The writer at work: frames are begun in order, one at a time.
struct world {
    const struct scene *scene;
    uint64_t ready[MAX_SLOTS]; // when the GPU is done with the frames that wait
    uint32_t head, tail;
    uint64_t free_ns, gpu_free_ns; // when writer and GPU are done with what they do
    struct weir_degrade_load load;
    uint64_t doing_pack_ns, doing_write_ns;
    bool is_doing;
};

static const struct phase *phase_at(const struct scene *scene, uint64_t now_ns)
{
    const struct phase *phase = scene->phases;
    while (now_ns >= phase->until * SECOND && phase[1].until > 0) {
        phase++;
    }
    return phase;
}

static uint64_t end_of_writing(const struct scene *scene, uint64_t begin_ns, uint64_t write_ns)
{
    const uint64_t every = scene->stall_every * SECOND;
    const uint64_t in_period = every > 0 ? begin_ns % every : 0;
    const uint64_t stall_ns = scene->stall * MS;
    return begin_ns + write_ns + (every > 0 && in_period < stall_ns ? stall_ns - in_period : 0);
}

static void begin_packet(struct world *world, uint64_t begin_ns, bool is_compressed)
{
    const struct phase *phase = phase_at(world->scene, begin_ns);
    world->doing_pack_ns = is_compressed ? phase->pack * MS : 1000;
    const uint64_t write_ns = (is_compressed ? phase->packed : phase->raw) * MS;
    world->free_ns = end_of_writing(world->scene, begin_ns + world->doing_pack_ns, write_ns);
    world->doing_write_ns = world->free_ns - begin_ns - world->doing_pack_ns;
    world->is_doing = true;
}

// Let writer and GPU work up to a time.
static void advance(struct world *world, uint64_t now_ns, bool is_compressed)
{
    for (;;) {
        if (world->is_doing && world->free_ns <= now_ns) {
            world->load.pack_ns += world->doing_pack_ns;
            world->load.write_ns += world->doing_write_ns;
            world->load.num_packets++;
            world->tail++;
            world->is_doing = false;
        }
        const uint64_t ready_ns = world->ready[world->tail % MAX_SLOTS];
        const uint64_t begin_ns = ready_ns > world->free_ns ? ready_ns : world->free_ns;
        if (world->is_doing || world->tail == world->head || begin_ns > now_ns) {
            break;
        }
        begin_packet(world, begin_ns, is_compressed);
    }
    world->load.now_ns = now_ns;
    world->load.fill = world->head - world->tail;
}

static void push(struct world *world, uint64_t now_ns)
{
    const uint64_t begin_ns = now_ns > world->gpu_free_ns ? now_ns : world->gpu_free_ns;
    world->gpu_free_ns = begin_ns + phase_at(world->scene, now_ns)->gpu * MS;
    world->ready[world->head++ % MAX_SLOTS] = world->gpu_free_ns;
}

static uint64_t length_of(const struct scene *scene)
{
    uint64_t seconds = 0;
    for (size_t i = 0; i < 4 && scene->phases[i].until > 0; i++) {
        seconds = scene->phases[i].until;
    }
    return seconds * SECOND;
}

static struct outcome play(const struct scene *scene, bool degrades)
{
    struct world world = {.scene = scene};
    struct weir_degrade degrade;
    struct outcome outcome = {.written = 0};
    const uint64_t begin_ns = 1000 * SECOND, length_ns = length_of(scene);
    weir_degrade_init(&degrade, scene->num_slots, scene->is_asked);
    for (uint64_t i = 0; i * SECOND / FPS < length_ns; i++) {
        const uint64_t now_ns = i * SECOND / FPS;
        advance(&world, now_ns, degrade.is_compressed);
        struct weir_degrade_load load = world.load;
        load.now_ns += begin_ns;
        const enum weir_degrade_step step = degrades ? weir_degrade_update(&degrade, &load)
                                                     : WEIR_DEGRADE_NONE;
        outcome.steps[step]++;
        outcome.num_steps += step != WEIR_DEGRADE_NONE;
        const bool skips = degrades && !weir_degrade_takes(&degrade);
        weir_degrade_pass(&degrade);
        if (skips) {
            outcome.skipped++;
        } else if (load.fill == scene->num_slots) {
            outcome.dropped++;
            outcome.dropped_at_end += 2 * now_ns >= length_ns;
        } else {
            push(&world, now_ns);
            outcome.written++;
        }
    }
    outcome.is_half = degrade.is_half;
    outcome.is_changed = degrade.is_compressed != degrade.is_asked;
    printf("%s, %s: %" PRIu64 " taken, %" PRIu64 " dropped (%" PRIu64 " in the last half), %" PRIu64
           " skipped; %" PRIu64 " steps: compression %" PRIu64 ", useless %" PRIu64
           ", restored %" PRIu64 ", half %" PRIu64 ", full %" PRIu64 "\n",
           scene->name, degrades ? "degrade" : "drop", outcome.written, outcome.dropped,
           outcome.dropped_at_end, outcome.skipped, outcome.num_steps,
           outcome.steps[WEIR_DEGRADE_COMPRESSION], outcome.steps[WEIR_DEGRADE_USELESS],
           outcome.steps[WEIR_DEGRADE_RESTORED], outcome.steps[WEIR_DEGRADE_HALF_RATE],
           outcome.steps[WEIR_DEGRADE_FULL_RATE]);
    return outcome;
}

// What is given up, and taken back, is counted alike.
static void expect_pairs(const struct scene *scene, const struct outcome *outcome)
{
    const uint64_t undone = outcome->steps[WEIR_DEGRADE_RESTORED] +
                            outcome->steps[WEIR_DEGRADE_USELESS];
    test_expect(outcome->steps[WEIR_DEGRADE_COMPRESSION] == undone + outcome->is_changed &&
                    outcome->steps[WEIR_DEGRADE_HALF_RATE] ==
                        outcome->steps[WEIR_DEGRADE_FULL_RATE] + outcome->is_half,
                "%s: what is taken back was taken before", scene->name);
}

static struct outcome play_both(const struct scene *scene)
{
    const struct outcome plain = play(scene, false), outcome = play(scene, true);
    expect_pairs(scene, &outcome);
    test_expect(outcome.dropped <= plain.dropped, "%s: degrading drops no more", scene->name);
    return outcome;
}

static void test_enough(void)
{
    static const struct scene scenes[] = {
        {.name = "fast", .num_slots = 8, .phases = {{60, 5, 3, 2, 2}}},
        {.name = "fast, compressed",
         .is_asked = true,
         .num_slots = 8,
         .phases = {{60, 9, 5, 3, 9}}},
        {.name = "fast, two slots", .num_slots = 2, .phases = {{60, 5, 3, 2, 2}}},
        {.name = "at its limit", .num_slots = 8, .phases = {{60, 5, 16, 2, 2}}},
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct outcome outcome = play_both(&scenes[i]);
        test_expect(outcome.num_steps == 0 && outcome.dropped == 0 && outcome.skipped == 0,
                    "%s: nothing happens", scenes[i].name);
    }
}

static void test_slow_disk(void)
{
    const struct scene scene = {
        .name = "slow disk", .num_slots = 8, .phases = {{60, 3, 22, 11, 2}}};
    const struct scene few = {
        .name = "slow disk, three slots", .num_slots = 3, .phases = {{60, 3, 22, 11, 2}}};
    const struct outcome outcome = play_both(&scene), hasty = play_both(&few);
    test_expect(hasty.is_changed && !hasty.is_half && hasty.dropped_at_end == 0 &&
                    hasty.skipped < 600,
                "with three slots there is no time for compression first, but then it is enough");
    test_expect(outcome.steps[WEIR_DEGRADE_COMPRESSION] >= 1 && outcome.dropped == 0 &&
                    outcome.skipped == 0,
                "compression is enough for the slow disk");
    test_expect(outcome.steps[WEIR_DEGRADE_USELESS] == 0, "and it is kept");
}

static void test_slow_processor(void)
{
    const struct scene scene = {
        .name = "slow processor", .is_asked = true, .num_slots = 8, .phases = {{60, 20, 5, 3, 2}}};
    const struct outcome outcome = play_both(&scene);
    test_expect(outcome.steps[WEIR_DEGRADE_COMPRESSION] >= 1 && outcome.dropped == 0 &&
                    outcome.skipped == 0,
                "without compression the slow processor is enough");
}

// Frames that do not get smaller, or cost more than they save.
static void test_useless_compression(void)
{
    static const struct scene scenes[] = {
        {.name = "noise", .num_slots = 8, .phases = {{60, 6, 25, 25, 2}}},
        {.name = "slow Snappy", .num_slots = 8, .phases = {{60, 20, 25, 12, 2}}},
        {.name = "noise, four slots", .num_slots = 4, .phases = {{60, 6, 25, 25, 2}}},
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct outcome outcome = play_both(&scenes[i]);
        test_expect(outcome.steps[WEIR_DEGRADE_USELESS] >= 1 && !outcome.is_changed,
                    "%s: the trial is taken back", scenes[i].name);
        test_expect(outcome.is_half && outcome.dropped_at_end == 0 && outcome.skipped > 1000,
                    "%s: half the rate is enough", scenes[i].name);
    }
}

// A disk that is compressed for already, and slow all the same: there is no other compression.
static void test_half_alone(void)
{
    static const struct scene scenes[] = {
        {.name = "slow disk, compressed",
         .is_asked = true,
         .num_slots = 8,
         .phases = {{60, 3, 40, 20, 2}}},
        {.name = "slow GPU", .num_slots = 8, .phases = {{60, 3, 2, 1, 25}}},
        {.name = "slow GPU, compressed",
         .is_asked = true,
         .num_slots = 8,
         .phases = {{60, 3, 2, 1, 25}}},
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct outcome outcome = play_both(&scenes[i]);
        test_expect(outcome.steps[WEIR_DEGRADE_COMPRESSION] == 0 &&
                        outcome.steps[WEIR_DEGRADE_HALF_RATE] >= 1 && outcome.skipped > 1000 &&
                        outcome.dropped == 0,
                    "%s: half the rate, and nothing else", scenes[i].name);
    }
}

static void test_both_slow(void)
{
    const struct scene scene = {
        .name = "all slow", .num_slots = 8, .phases = {{60, 20, 60, 30, 2}}};
    const struct outcome plain = play(&scene, false), outcome = play_both(&scene);
    test_expect(outcome.is_half && outcome.is_changed, "all slow: both steps are taken");
    test_expect(outcome.dropped > 0 && outcome.dropped < plain.dropped / 4,
                "all slow: the rest is dropped");
}

static void test_recovery(void)
{
    static const struct scene scenes[] = {
        {.name = "a slow disk recovers",
         .num_slots = 8,
         .phases = {{10, 3, 2, 1, 2}, {30, 3, 22, 11, 2}, {130, 3, 2, 1, 2}}},
        {.name = "noise on a disk that recovers",
         .num_slots = 8,
         .phases = {{10, 3, 2, 1, 2}, {30, 6, 25, 25, 2}, {130, 3, 2, 1, 2}}},
        {.name = "a slow processor recovers",
         .is_asked = true,
         .num_slots = 8,
         .phases = {{10, 3, 2, 1, 2}, {30, 20, 5, 3, 2}, {130, 3, 2, 1, 2}}},
        {.name = "a slow GPU recovers",
         .num_slots = 4,
         .phases = {{10, 3, 2, 1, 2}, {30, 3, 2, 1, 25}, {130, 3, 2, 1, 2}}},
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct outcome outcome = play_both(&scenes[i]);
        test_expect(outcome.num_steps >= 2 && !outcome.is_half && !outcome.is_changed,
                    "%s: all is as asked for in the end", scenes[i].name);
        test_expect(outcome.dropped_at_end == 0, "%s: nothing is lost then", scenes[i].name);
    }
}

// How many steps there may be in a time: with each pair the wait doubles, up to 64 s.
static uint64_t most_steps(const struct scene *scene)
{
    return 24 + length_of(scene) / SECOND / 8;
}

static void test_no_flapping(void)
{
    static const struct scene scenes[] = {
        {.name = "a stall every 10 s",
         .num_slots = 8,
         .phases = {{600, 3, 2, 1, 2}},
         .stall_every = 10,
         .stall = 1000},
        {.name = "a stall every 3 s",
         .num_slots = 8,
         .phases = {{600, 3, 5, 3, 2}},
         .stall_every = 3,
         .stall = 300},
        {.name = "slow by a little", .num_slots = 8, .phases = {{600, 8, 17, 9, 2}}},
        {.name = "slow by a little, two slots", .num_slots = 2, .phases = {{600, 8, 17, 9, 2}}},
        {.name = "a slow processor for 10 minutes",
         .is_asked = true,
         .num_slots = 8,
         .phases = {{600, 17, 5, 3, 2}}},
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        const struct outcome outcome = play_both(&scenes[i]);
        test_expect(outcome.num_steps <= most_steps(&scenes[i]),
                    "%s: %" PRIu64 " steps, most %" PRIu64, scenes[i].name, outcome.num_steps,
                    most_steps(&scenes[i]));
    }
}

// Loads without any sense: still no to and fro, and the steps are those that were told.
static void test_any_load(void)
{
    for (int run = 0; run < 20; run++) {
        struct weir_degrade degrade;
        struct weir_degrade_load load = {.now_ns = 1 + test_random() % SECOND};
        const uint32_t num_slots = 2 + (uint32_t)(test_random() % 63);
        const bool is_asked = test_random() % 2;
        const uint64_t begin_ns = load.now_ns;
        bool is_half = false, is_changed = false;
        uint64_t num_steps = 0;
        weir_degrade_init(&degrade, num_slots, is_asked);
        for (int i = 0; i < 100000; i++) {
            load.now_ns += test_random() % (test_random() % 1000 == 0 ? SECOND : 20 * MS);
            load.fill = (uint32_t)(test_random() % (num_slots + 1));
            load.fill = i / 3000 % 2 ? load.fill : load.fill % 2;
            load.num_packets += test_random() % 3;
            load.pack_ns += test_random() % (10 * MS);
            load.write_ns += test_random() % (10 * MS);
            const enum weir_degrade_step step = weir_degrade_update(&degrade, &load);
            is_half = step == WEIR_DEGRADE_HALF_RATE || (is_half && step != WEIR_DEGRADE_FULL_RATE);
            is_changed = step == WEIR_DEGRADE_COMPRESSION ||
                         (is_changed && step != WEIR_DEGRADE_RESTORED &&
                          step != WEIR_DEGRADE_USELESS);
            num_steps += step != WEIR_DEGRADE_NONE;
            test_expect(degrade.is_half == is_half &&
                            (degrade.is_compressed != is_asked) == is_changed,
                        "run %d, frame %d: the decisions follow the steps", run, i);
        }
        const uint64_t most = 24 + (load.now_ns - begin_ns) / SECOND / 8;
        test_expect(num_steps > 0 && num_steps <= most, "run %d: %" PRIu64 " steps, most %" PRIu64,
                    run, num_steps, most);
    }
}

int main(void)
{
    test_enough();
    test_slow_disk();
    test_slow_processor();
    test_useless_compression();
    test_half_alone();
    test_both_slow();
    test_recovery();
    test_no_flapping();
    test_any_load();
    return test_finish();
}
