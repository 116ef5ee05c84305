// SPDX-License-Identifier: MIT
// The hash tables in which words of a fragment, and of what is before it, are found again: one of
// halves of blocks, eight bytes at even words, and one of single words.
//
// An entry has 16 bits, two of them a word of shared memory. Its key is, from the highest bit on,
// the number of a group of 256 words, counted from 1 from the first word that the table knows;
// how many of the group are behind; and a few bits of the hash, by which most of those that share
// an entry are told apart without a look at them. So the largest key is that of the latest group,
// and in it of the first word.

const uint GROUP_LOG2 = 8u; // words of a group

// A table: where its entries begin and how many these are, how many words are apart of which one
// may be in it, and how many bits of the hash are in a key.
struct Table {
    uint first_entry, entries_log2, step_log2, hash_bits;
};
const Table HALVES = Table(0u, 13u, 1u, 2u);
const Table WORDS = Table(1u << 13, 12u, 0u, 3u);
const uint NUM_ENTRIES = (1u << 13) + (1u << 12);

// The tables; later the packed bytes.
shared uint pool[NUM_ENTRIES / 2u];

uint hash_of_half(uint word, uint next)
{
    const uint h = word * 0x9e3779b1u ^ next * 0x85ebca6bu;
    return (h ^ h >> 15) * 0xc2b2ae35u;
}

uint hash_of_word(uint word)
{
    return word * 0x9e3779b1u;
}

uint entry_of(Table table, uint hash)
{
    return table.first_entry + (hash >> 32u - table.entries_log2);
}

// The bits of a hash that are in a key: those behind the entry's.
uint rest_of(Table table, uint hash)
{
    return bitfieldExtract(hash, int(32u - table.entries_log2 - table.hash_bits),
                           int(table.hash_bits));
}

// Put a word, `place` words behind the first that the table knows: the maximum of 16 bits, in any
// order.
void put(Table table, uint hash, uint place)
{
    const uint entry = entry_of(table, hash), group_log2 = GROUP_LOG2 - table.step_log2;
    const uint in_group = bitfieldExtract(~place >> table.step_log2, 0, int(group_log2));
    const uint key = ((place >> GROUP_LOG2) + 1u << group_log2 | in_group) << table.hash_bits |
                     rest_of(table, hash);
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

// Get how far before a word the one is that the table has for its hash; 0 for none, or itself, or
// one behind. `first`: the first word that the table knows.
uint distance_of(Table table, uint hash, uint word, uint first)
{
    const uint entry = entry_of(table, hash), group_log2 = GROUP_LOG2 - table.step_log2;
    const uint key = bitfieldExtract(pool[entry / 2u], int(16u * (entry & 1u)), 16);
    const uint place = key >> table.hash_bits;
    const uint in_group = bitfieldExtract(~place, 0, int(group_log2)) << table.step_log2;
    const uint found = first + ((place >> group_log2) - 1u << GROUP_LOG2) + in_group;
    const bool is_same = bitfieldExtract(key, 0, int(table.hash_bits)) == rest_of(table, hash);
    return key > 0u && is_same && found < word ? word - found : 0u;
}
