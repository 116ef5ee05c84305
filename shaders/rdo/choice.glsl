// SPDX-License-Identifier: MIT
// What a block may become, and how choices are compared.

// In the order in which equal costs decide. A block of one half is copied whole.
const uint KEEP = 0u;
const uint COPY_BLOCK = 1u;
const uint COPY_SECOND = 2u;
const uint COPY_FIRST = 3u;

bool copies_first(uint choice)
{
    return choice == COPY_BLOCK || choice == COPY_FIRST;
}

bool copies_second(uint choice)
{
    return choice == COPY_BLOCK || choice == COPY_SECOND;
}

// True if a block of BC1 takes the endpoints of another, and has codes of its own.
bool takes_ends(uint choice)
{
    return TEXTURE && choice == COPY_FIRST;
}
const uint CODES_RATE = 32u; // [bits]

// Get a block with the halves of another that are copied.
uvec4 merged(uvec4 own, uvec4 other, uint choice)
{
    return uvec4(copies_first(choice) ? other.xy : own.xy,
                 copies_second(choice) ? other.zw : own.zw);
}

uvec2 merged(uvec2 own, uvec2 other, uint choice)
{
    return copies_first(choice) ? other : own;
}

// Get the stream behind a block.
Stream after_block(Stream stream, uint choice, uint offset)
{
    stream = copies_first(choice) ? after_copy(stream, offset) : after_literal(stream);
    if (BLOCK_SIZE == HALF_SIZE)
        return takes_ends(choice) ? after_literal(stream) : stream;
    return copies_second(choice) ? after_copy(stream, offset) : LITERAL;
}

// Costs, with choice and distance below them, are compared in 32 bits.
const uint MAX_COST = 0x7fffffu;

uint key_of(uint cost, uint choice, uint distance)
{
    return min(cost, MAX_COST) << 9 | choice << 7 | distance - 1u;
}

int frame_lambda; // the weight of a byte in the frame, with TEXTURE of a bit

// Get that in a block, by its squared deviation from its mean in a unit: little where it is smooth,
// since there it shows.
int lambda_at(uint activity, uint unit)
{
    const uint middle = 4u;
    const uint a = min(activity / unit, 2047u);
    return frame_lambda * int(256u * a * a / (a * a + middle * middle)) >> 8;
}
