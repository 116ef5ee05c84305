// SPDX-License-Identifier: MIT
// Matches: what a word of the source has in common with one before it. Words are counted from the
// beginning of the chunk, bytes too.

const uint MAX_BEFORE = 3u;    // bytes of a copy before the word where it was found

// From `back` words before, bytes from the word on, and bytes before it. `back` is 0 where nothing
// was found.
struct Match {
    uint back, after, before;
};
const Match NO_MATCH = Match(0u, 0u, 0u);

// Get how many bytes of a word, from the first on or from the last back, are no difference.
uint equal_first(uint difference)
{
    return difference == 0u ? 4u : uint(findLSB(difference)) / 8u;
}
uint equal_last(uint difference)
{
    return difference == 0u ? 4u : (31u - uint(findMSB(difference))) / 8u;
}

uint bytes_saved(Match match)
{
    const uint size = match.after + match.before;
    return match.back == 0u ? 0u : size - copy_tag_size(size, match.back);
}

// Get how many bytes from a word on are equal to those `back` words before, up to word `end`.
uint count_equal(uint word, uint back, uint end)
{
    for (uint at = word; at < end; at++) {
        const uint difference = word_at(at) ^ word_at(at - back);
        if (difference != 0u)
            return WORD_SIZE * (at - word) + equal_first(difference);
    }
    return WORD_SIZE * (end - word);
}

// Take a match from `back` words before, where that word is the same, if it saves more bytes, or
// as many from nearer. A match ends at word `end`, and lies behind `low` [bytes].
void take_better(uint word, uint back, uint low, uint end, inout Match best)
{
    Match match = Match(back, WORD_SIZE + count_equal(word + 1u, back, end), 0u);
    const uint room = min(MAX_BEFORE, WORD_SIZE * word - low);
    if (room > 0u && word > back)
        match.before = min(room, equal_last(word_at(word - 1u) ^ word_at(word - back - 1u)));
    const uint saved = bytes_saved(match), least = bytes_saved(best);
    if (saved > least || saved == least && back < best.back)
        best = match;
}

// The same of four places, whose words are fetched at once. A `back` of 0 is none.
void consider(uint word, uvec4 backs, uint low, uint end, inout Match best)
{
    const uint own = word_at(word);
    uvec4 others = uvec4(~own);
    [[unroll]] for (uint i = 0u; i < 4u; i++)
        if (backs[i] > 0u && backs[i] <= min(word, MAX_BACK))
            others[i] = word_at(word - backs[i]);
    [[unroll]] for (uint i = 0u; i < 4u; i++)
        if (others[i] == own && backs[i] != best.back)
            take_better(word, backs[i], low, end, best);
}
