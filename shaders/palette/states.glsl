// SPDX-License-Identifier: MIT
// The table of states that trajectories have been in. A step depends only on the state, so a
// trajectory that comes to a state of another one ends where the other does, and need not go on.
//
// A hash table of open addressing. A state that finds no slot is not noted, which loses a meeting
// and nothing else. Where there are too many states for the table, a part of them is noted, by
// their hash: trajectories that have met stay together, and come to a noted state some steps later.
//
// A state has 73 bits and a slot 64, which one atomic operation compares and takes. So a slot does
// not hold the bits that its number implies (quotienting: Cleary, "Compact Hash Tables Using
// Bidirectional Linear Probing", 1984). A state's first slot is a hash of all but the low bits of
// its L, exclusive or these bits, so the first slot and the rest of the state give them back. A
// slot holds the rest, and how many slots it is behind the state's first.

const uint LOW_BITS = WEIR_PALETTE_MIN_STATES_LOG2; // of L, which slots do not hold
const uint PROBE_BITS = 4u;
const uint MAX_PROBES = 1u << PROBE_BITS;

uint64_t rest_of(uvec3 state)
{
    const uint high = state.x >> LOW_BITS;
    const uint high_bits = WEIR_PALETTE_LATTICE_BITS + 1u - LOW_BITS;
    return (uint64_t(state.y) << WEIR_PALETTE_LATTICE_BITS | state.z) << high_bits | high;
}

uint hash(uint64_t rest)
{
    uint x = uint(rest) ^ uint(rest >> 32) * 0x9e3779b9u; // 2^32 over the golden ratio
    x = (x ^ x >> 16) * 0x85ebca6bu; // the finalizer of MurmurHash3 (Appleby)
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

// Get what a slot holds that is `probe` slots behind a state's first. It is not 0.
uint64_t entry_of(uint64_t rest, uint probe)
{
    return rest << PROBE_BITS + 1u | probe << 1 | 1u;
}

// Claim `state` for `trajectory`. Return true if it was not noted before, or cannot be noted.
// Otherwise `slot` is the one that names the first trajectory in it.
bool claim(uvec3 state, uint trajectory, out uint slot)
{
    bool is_first = true;
    const uint mask = control.num_states - 1u;
    const uint64_t rest = rest_of(state);
    const uint key = hash(rest) ^ state.x & (1u << LOW_BITS) - 1u;
    slot = key & mask;
    if ((key & control.state_mask) != 0u) {
        return true;
    }
    if (subgroupElect()) {
        for (uint probe = 0u; probe < MAX_PROBES; probe++) {
            const uint64_t entry = entry_of(rest, probe);
            const uint64_t before = atomicCompSwap(states[slot], uint64_t(0), entry);
            if (before == 0) {
                owners[slot] = trajectory;
                break;
            }
            if (before == entry) {
                is_first = false;
                break;
            }
            slot = slot + 1u & mask;
        }
    }
    slot = subgroupBroadcastFirst(slot);
    return subgroupBroadcastFirst(is_first);
}
