// SPDX-License-Identifier: MIT
// How much of the machine's memory a program may take.
#include "capture/weir/common/memory.h"

#include "capture/base/system.h"

struct weir_memory_use cli_memory_use(uint64_t asked, uint32_t num_copies, uint32_t texel_size)
{
    const uint64_t machine = asked != 0 ? 0 : weir_memory_of_machine("");
    return (struct weir_memory_use){
        .limit = asked != 0 ? asked : machine / 4 * 3,
        .num_copies = num_copies,
        .texel_size = texel_size,
    };
}
