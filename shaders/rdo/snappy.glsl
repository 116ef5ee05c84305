// SPDX-License-Identifier: MIT
// What halves of blocks take in a stream of Snappy, as literals or as copies, in bytes; with
// TEXTURE in a stream of Zstandard or Deflate, about, in bits.
//
// The includer has BLOCK_SIZE, of one half or two, and TEXTURE.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt):
// a copy has 4 to 11 bytes from at most 2047 bytes before in two bytes, or 1 to 64 from at most
// 65535 before in three; a literal has a tag before its bytes. Zstandard (RFC 8878) codes lengths,
// and offsets but for their lower bits, by their frequency, and repeats the last offset for little.

const uint HALF_SIZE = 8u;
const uint NEAR_OFFSET = 2047u;
const uint MAX_OFFSET = 65535u;
const uint MAX_RUN = 64u;

// How the bytes up to now are written: a copy from `offset` before, of `run` bytes, or a literal.
// With TEXTURE a literal, whose `run` is 0, keeps the offset of the copy before it.
struct Stream {
    uint offset, run;
};
const Stream LITERAL = Stream(~0u, 0u);
const Stream UNKNOWN_STREAM = Stream(0u, 0u); // neither goes on

// Get how much a half takes as a literal.
uint literal_rate(Stream stream)
{
    if (TEXTURE)
        return 8u * HALF_SIZE;
    return HALF_SIZE + (stream.offset == LITERAL.offset ? 0u : 1u);
}

// True if a copy from that offset makes the one before longer.
bool goes_on(Stream stream, uint offset)
{
    return stream.offset == offset && (TEXTURE ? stream.run > 0u : stream.run < MAX_RUN);
}

// Get how much a half takes as a copy. One that goes on takes a byte where it grows out of the
// shorter form.
uint copy_rate(Stream stream, uint offset)
{
    if (TEXTURE)
        return goes_on(stream, offset) ? 1u : stream.offset == offset ? 7u : 8u + findMSB(offset);
    const uint is_near = offset <= NEAR_OFFSET ? 1u : 0u;
    return !goes_on(stream, offset) ? 3u - is_near : stream.run == HALF_SIZE ? is_near : 0u;
}

Stream after_copy(Stream stream, uint offset)
{
    return Stream(offset, goes_on(stream, offset) ? stream.run + HALF_SIZE : HALF_SIZE);
}

Stream after_literal(Stream stream)
{
    return TEXTURE ? Stream(stream.offset, 0u) : LITERAL;
}
