// SPDX-License-Identifier: MIT
// A box of the city, as city.h has it.
struct Box {
    vec3 center;
    uint kind;
    vec3 extent; // half of each side
    uint seed;
};
