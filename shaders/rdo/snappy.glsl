// SPDX-License-Identifier: MIT
// What halves of blocks take in a stream of Snappy, as literals or as copies.
//
// The includer has BLOCK_SIZE, of one half or two.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt):
// a copy has 4 to 11 bytes from at most 2047 bytes before in two bytes, or 1 to 64 from at most
// 65535 before in three; a literal has a tag before its bytes.

const uint HALF_SIZE = 8u;
const uint NEAR_OFFSET = 2047u;
const uint MAX_OFFSET = 65535u;
const uint MAX_RUN = 64u;

// How the bytes up to now are written: a copy from `offset` before, of `run` bytes, or a literal.
struct Stream {
    uint offset, run;
};
const Stream LITERAL = Stream(~0u, 0u);
const Stream UNKNOWN_STREAM = Stream(0u, 0u); // neither goes on

// Get how many bytes a half takes as a literal.
uint literal_bytes(Stream stream)
{
    return HALF_SIZE + (stream.offset == LITERAL.offset ? 0u : 1u);
}

// True if a copy from that offset makes the one before longer.
bool goes_on(Stream stream, uint offset)
{
    return stream.offset == offset && stream.run < MAX_RUN;
}

// Get how many bytes a half takes as a copy. One that goes on takes a byte where it grows out of
// the shorter form.
uint copy_bytes(Stream stream, uint offset)
{
    const uint is_near = offset <= NEAR_OFFSET ? 1u : 0u;
    return !goes_on(stream, offset) ? 3u - is_near : stream.run == HALF_SIZE ? is_near : 0u;
}

Stream after_copy(Stream stream, uint offset)
{
    return Stream(offset, goes_on(stream, offset) ? stream.run + HALF_SIZE : HALF_SIZE);
}
