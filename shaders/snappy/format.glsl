// SPDX-License-Identifier: MIT
// Elements of a stream of Snappy: the sizes and the bytes of tags.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt):
// a copy has 4 to 11 bytes from at most 2047 bytes before in two bytes, or 1 to 64 from at most
// 65535 before in three; a literal has a tag before its bytes.

const uint MAX_BACK = 16383u; // the largest distance of a copy, below 2^16 bytes [words]
const uint MAX_COPY = 64u;    // [bytes]
const uint MAX_SHORT = 11u;   // the longest copy of two bytes [bytes]
const uint SHORT_BACK = 512u; // its distance is less: 2^11 bytes [words]

// A tag: its bytes, the first one lowest, and how many these are.
struct Tag {
    uint bytes, size;
};

uint copy_tag_size(uint size, uint back)
{
    return size <= MAX_SHORT && back < SHORT_BACK ? 2u : 3u;
}

Tag copy_tag(uint size, uint back)
{
    const uint offset = WORD_SIZE * back;
    if (copy_tag_size(size, back) == 2u)
        return Tag(1u | size - 4u << 2 | offset >> 8 << 5 | (offset & 0xffu) << 8, 2u);
    return Tag(2u | size - 1u << 2 | offset << 8, 3u);
}

// `size`: at least 1, and at most that of a fragment.
Tag literal_tag(uint size)
{
    const uint n = size - 1u;
    return n < 60u ? Tag(n << 2, 1u) : n < 256u ? Tag(60u << 2 | n << 8, 2u)
                                                : Tag(61u << 2 | n << 8, 3u);
}
