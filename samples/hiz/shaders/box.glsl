// SPDX-License-Identifier: MIT
// A box of the city, as city.h has it.
struct Box {
    vec3 center;
    uint kind;
    vec3 extent; // half of each side
    uint seed;
};
// In a list beside a box's number: a wrong pyramid would lose the box.
const uint LOST = 1u << 31;
