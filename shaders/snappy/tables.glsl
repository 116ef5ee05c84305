// SPDX-License-Identifier: MIT
// The hash tables in which words of a fragment, and of what is before it, are found again.
//
// An entry has 16 bits, two of them a word of shared memory: the number of a group of 256 words
// from `first` on, counted from 1, and below it how many words of the group are behind. So the
// largest key is that of the latest group, and in it of the first word.

const uint HALVES_LOG2 = 13u; // of the table of eight bytes
const uint WORDS_LOG2 = 12u;  // of that of four
const uint NUM_ENTRIES = (1u << HALVES_LOG2) + (1u << WORDS_LOG2);

// The tables; later the packed bytes.
shared uint pool[NUM_ENTRIES / 2u];

uint entry_of_half(uint word, uint next)
{
    uint h = word * 0x9e3779b1u ^ next * 0x85ebca6bu;
    h = (h ^ h >> 15) * 0xc2b2ae35u;
    return h >> 32u - HALVES_LOG2;
}

uint entry_of_word(uint word)
{
    return (1u << HALVES_LOG2) + (word * 0x9e3779b1u >> 32u - WORDS_LOG2);
}

uint key_at(uint entry)
{
    return pool[entry / 2u] >> 16u * (entry & 1u) & 0xffffu;
}

// Put a word, `place` words behind `first`, into an entry: the maximum of 16 bits, in any order.
void put_key(uint entry, uint place)
{
    const uint key = (place >> 8) + 1u << 8 | 255u - (place & 255u);
    const uint shift = 16u * (entry & 1u);
    uint old = pool[entry / 2u];
    while ((old >> shift & 0xffffu) < key) {
        const uint wanted = old & ~(0xffffu << shift) | key << shift;
        const uint seen = atomicCompSwap(pool[entry / 2u], old, wanted);
        if (seen == old)
            break;
        old = seen;
    }
}

// Get how far before a word the one is that an entry names; 0 for none, or itself, or one behind.
uint distance_of(uint entry, uint word, uint first)
{
    const uint key = key_at(entry);
    const uint found = first + ((key >> 8) - 1u << 8) + 255u - (key & 255u);
    return key > 0u && found < word ? word - found : 0u;
}
