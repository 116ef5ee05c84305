// SPDX-License-Identifier: MIT
// States that step on to others until they stay: where each ends, for both references of palette
// reduction.
//
// Two ways that meet in a state have the rest in common, so all ways are trees with an end for
// root.
#include "tests/ref/palette_follow.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t no_end = UINT32_MAX;           // not looked for yet
static const uint32_t is_walked = UINT32_MAX - 1;    // on the way that is being looked at
static const uint32_t out_of_memory = UINT32_MAX;    // in the place of a node
static const uint32_t max_nodes = UINT32_C(1) << 30; // for 32-bit indices at half load

struct node {
    struct ref_palette_state state;
    uint32_t next, end; // nodes
    uint32_t steps;     // to the end, with the one that finds it in place
};

struct tree {
    struct node *nodes;
    uint32_t num;
    uint32_t *slots; // open addressing: node + 1, or 0
    uint32_t size;   // of slots, a power of two; twice the room for nodes
};

static bool is_same(const struct ref_palette_state *s, const struct ref_palette_state *t)
{
    return memcmp(s->words, t->words, sizeof(s->words)) == 0;
}

static uint32_t first_slot(const struct tree *tree, const struct ref_palette_state *state)
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ state->words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash & (tree->size - 1);
}

// The slot of a state, or the empty one where it belongs.
static uint32_t *find_slot(const struct tree *tree, const struct ref_palette_state *state)
{
    uint32_t slot = first_slot(tree, state);
    while (tree->slots[slot] != 0 && !is_same(&tree->nodes[tree->slots[slot] - 1].state, state)) {
        slot = (slot + 1) & (tree->size - 1);
    }
    return &tree->slots[slot];
}

static bool grow(struct tree *tree)
{
    const uint32_t size = tree->size == 0 ? 1 << 10 : 2 * tree->size;
    struct node *nodes = realloc(tree->nodes, size / 2 * sizeof(*nodes));
    if (!nodes) {
        return false;
    }
    tree->nodes = nodes;
    uint32_t *slots = calloc(size, sizeof(*slots));
    if (!slots) {
        return false;
    }
    free(tree->slots);
    tree->slots = slots;
    tree->size = size;
    for (uint32_t i = 0; i < tree->num; i++) {
        *find_slot(tree, &nodes[i].state) = i + 1;
    }
    return true;
}

// The node of a state, new where there is none.
static uint32_t get_node(struct tree *tree, struct ref_palette_state state)
{
    if (tree->num == tree->size / 2 && (tree->num == max_nodes || !grow(tree))) {
        return out_of_memory;
    }
    uint32_t *slot = find_slot(tree, &state);
    if (*slot == 0) {
        tree->nodes[tree->num] = (struct node){.state = state, .end = no_end};
        *slot = ++tree->num;
    }
    return *slot - 1;
}

// The nodes from `first` on are a cycle, in most cases of one. Returns how many.
static uint32_t end_cycle(struct node *nodes, uint32_t first)
{
    uint32_t least = first, length = 0, i = first;
    do {
        if (memcmp(&nodes[i].state, &nodes[least].state, sizeof(nodes[i].state)) < 0) {
            least = i;
        }
        length++;
        i = nodes[i].next;
    } while (i != first);
    do {
        nodes[i].end = least;
        nodes[i].steps = length;
        i = nodes[i].next;
    } while (i != first);
    return length;
}

static void find_end(struct node *nodes, uint32_t start)
{
    uint32_t length = 0, i = start;
    for (; nodes[i].end == no_end; i = nodes[i].next) {
        nodes[i].end = is_walked;
        length++;
    }
    if (nodes[i].end == is_walked) {
        length -= end_cycle(nodes, i);
    }
    for (uint32_t k = start; nodes[k].end == is_walked; k = nodes[k].next) {
        nodes[k].end = nodes[i].end;
        nodes[k].steps = nodes[i].steps + length--;
    }
}

static bool build(ref_palette_step_function *step, void *context, uint32_t n,
                  const struct ref_palette_state *states, struct tree *tree)
{
    for (uint32_t i = 0; i < n; i++) {
        if (get_node(tree, states[i]) == out_of_memory) {
            return false;
        }
    }
    for (uint32_t i = 0; i < tree->num; i++) { // which adds nodes
        const uint32_t next = get_node(tree, step(context, tree->nodes[i].state));
        if (next == out_of_memory) {
            return false;
        }
        tree->nodes[i].next = next;
    }
    return true;
}

static bool follow_together(ref_palette_step_function *step, void *context, uint32_t n,
                            struct ref_palette_state *states, struct ref_palette_stats *stats)
{
    struct tree tree = {0};
    const bool is_built = build(step, context, n, states, &tree);
    for (uint32_t i = 0; i < n && is_built; i++) {
        const uint32_t start = *find_slot(&tree, &states[i]) - 1;
        find_end(tree.nodes, start);
        const struct node *node = &tree.nodes[start];
        states[i] = tree.nodes[node->end].state;
        stats->max_steps = node->steps > stats->max_steps ? node->steps : stats->max_steps;
    }
    stats->evaluations = tree.num;
    free(tree.nodes);
    free(tree.slots);
    return is_built;
}

bool ref_palette_follow(ref_palette_step_function *step, void *context, uint32_t limit, uint32_t n,
                        struct ref_palette_state *states, struct ref_palette_stats *stats)
{
    stats->evaluations = stats->max_steps = 0;
    if (limit == 0) {
        return follow_together(step, context, n, states, stats);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t steps = 0;
        for (bool moved = true; moved && steps < limit; steps++) {
            const struct ref_palette_state last = states[i];
            states[i] = step(context, last);
            moved = !is_same(&states[i], &last);
        }
        stats->evaluations += steps;
        stats->max_steps = steps > stats->max_steps ? steps : stats->max_steps;
    }
    return true;
}
