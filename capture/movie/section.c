// SPDX-License-Identifier: MIT
// HAP sections: a header of a size and a type, then the payload.
#include "capture/movie/section.h"

#include "capture/base/little_endian.h"

// A size of zero in the short form announces the long one, so an empty payload needs that too.
uint32_t weir_hap_header_size(uint32_t payload_size)
{
    return payload_size > 0 && payload_size < 1u << 24 ? 4 : 8;
}

uint8_t *weir_hap_write_header(uint8_t *payload, uint32_t payload_size, uint8_t type)
{
    uint8_t *header = payload - weir_hap_header_size(payload_size);
    if (payload - header == 4) {
        weir_put_u32(header, payload_size | (uint32_t)type << 24);
    } else {
        weir_put_u32(header, (uint32_t)type << 24);
        weir_put_u32(header + 4, payload_size);
    }
    return header;
}

uint32_t weir_hap_num_chunks(uint64_t num_blocks, uint32_t wish)
{
    for (uint32_t n = wish; n > 1; n--) {
        if (num_blocks % n == 0) {
            return n;
        }
    }
    return 1;
}
