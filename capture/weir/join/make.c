// SPDX-License-Identifier: MIT
// Makes the plan of how movies are joined: reads them, puts them in order, and adds one by one.
#include "capture/weir/join/make.h"

// The window of a view [bytes].
#define VIEW_ROOM 4096u

struct making {
    struct join_plan *plan;
    const struct join_rules *rules;
    const struct join_sources *sources;
    char *refusal;
};

// Look at the movie at a place of plan->inputs.
static bool look_at(struct making *making, size_t place,
                    bool (*look)(struct making *making, struct weir_view *view, size_t place))
{
    struct weir_view_source source;
    struct weir_view view;
    const size_t number = making->plan->inputs[place].number;
    if (!making->sources->open(making->sources->user, number, &source)) {
        return false;
    }
    const bool is_right = weir_view_init(&view, &source, VIEW_ROOM)
                              ? look(making, &view, place)
                              : join_refuse(making->refusal, "there is no memory");
    weir_view_finish(&view);
    return is_right;
}

static bool read_input(struct making *making, struct weir_view *view, size_t place)
{
    struct join_plan *plan = making->plan;
    if (!join_input_read(view, &plan->inputs[place], making->refusal)) {
        return false;
    }
    plan->tracks.are_of_segments = plan->inputs[0].is_segment && !making->rules->is_end_to_end;
    return join_tracks_add(&plan->tracks, view, &plan->inputs[place], making->refusal);
}

static bool add_input(struct making *making, struct weir_view *view, size_t place)
{
    (void)place;
    return join_plan_add(making->plan, view, making->refusal);
}

bool join_make(struct join_plan *plan, const struct join_rules *rules,
               const struct join_sources *sources, char refusal[JOIN_REFUSAL_SIZE])
{
    struct making making = {.plan = plan, .rules = rules, .sources = sources, .refusal = refusal};
    bool are_segments, is_right = true;
    for (size_t i = 0; is_right && i < plan->num_inputs; i++) {
        is_right = look_at(&making, i, read_input);
    }
    if (!is_right || !join_order(plan->inputs, plan->num_inputs, rules, &are_segments, refusal) ||
        !join_check_alike(plan->inputs, plan->num_inputs, are_segments, refusal)) {
        return false;
    }
    join_plan_begin(plan, are_segments);
    for (size_t i = 0; is_right && i < plan->num_inputs; i++) {
        is_right = look_at(&making, i, add_input);
    }
    return is_right && join_plan_complete(plan, refusal);
}
