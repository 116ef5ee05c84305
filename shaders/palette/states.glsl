// SPDX-License-Identifier: MIT
// The table of states that trajectories have been in. A step depends on the state alone, so a
// trajectory that comes to a state of another one ends where the other does, and need not go on.
//
// A hash table of open addressing. A state that finds no slot is not noted, which loses a meeting
// and nothing else. Where there are too many states for the table, a part of them is noted, by
// their hash: trajectories that have met stay together, and come to a noted state some steps later.

const uint MAX_PROBES = 16u;

uint hash(uint64_t state)
{
    uint x = uint(state) ^ uint(state >> 32) * 0x9e3779b9u; // 2^32 over the golden ratio
    x = (x ^ x >> 16) * 0x85ebca6bu; // the finalizer of MurmurHash3 (Appleby)
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

// Claim `state` for `trajectory`. Return true if it was not noted before, or cannot be noted.
// Otherwise `slot` is the one that names the first trajectory in it.
bool claim(uint64_t state, uint trajectory, out uint slot)
{
    bool is_first = true;
    const uint mask = control.num_states - 1u;
    const uint key = hash(state);
    slot = key & mask;
    if ((key & control.state_mask) != 0u) {
        return true;
    }
    if (subgroupElect()) {
        for (uint probe = 0u; probe < MAX_PROBES; probe++) {
            const uint64_t before = atomicCompSwap(states[slot], uint64_t(0), state);
            if (before == 0) {
                owners[slot] = trajectory;
                break;
            }
            if (before == state) {
                is_first = false;
                break;
            }
            slot = slot + 1u & mask;
        }
    }
    slot = subgroupBroadcastFirst(slot);
    return subgroupBroadcastFirst(is_first);
}
