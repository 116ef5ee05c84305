// SPDX-License-Identifier: MIT
// The header of a DDS file, field by field, against Microsoft's description of it.
#include <stdio.h>
#include <string.h>

#include "capture/texture/dds.h"
#include "testing.h"

// Offsets from the start of the file: the magic number, DDS_HEADER, DDS_HEADER_DXT10.
struct field {
    const char *name;
    uint32_t offset, value;
};

static uint32_t read_value(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// The fields that are named have their values, and all others are 0.
static void expect_fields(const struct weir_dds *dds, const struct field *fields, int num_fields)
{
    uint8_t header[WEIR_DDS_HEADER_SIZE + 4];
    memset(header, 0xa5, sizeof header);
    weir_dds_header(dds, header);
    for (uint32_t offset = 0; offset < WEIR_DDS_HEADER_SIZE; offset += 4) {
        const char *name = "unnamed";
        uint32_t value = 0;
        for (int i = 0; i < num_fields; i++) {
            if (fields[i].offset == offset) {
                name = fields[i].name;
                value = fields[i].value;
            }
        }
        const uint32_t got = read_value(header + offset);
        test_expect(got == value, "%ux%u: %s at %u is %#x and should be %#x", dds->width,
                    dds->height, name, offset, got, value);
    }
    test_expect(read_value(header + WEIR_DDS_HEADER_SIZE) == 0xa5a5a5a5, "it ends at its size");
}

static void test_one_level(void)
{
    const struct weir_dds dds = {
        .format = WEIR_DXGI_BC1_UNORM,
        .width = 257,
        .height = 129,
        .num_levels = 1,
        .level_size = 65 * 33 * 8,
    };
    static const struct field fields[] = {
        {"dwMagic", 0, 0x20534444},
        {"dwSize", 4, 124},
        {"dwFlags", 8, 0x1 | 0x2 | 0x4 | 0x1000 | 0x20000 | 0x80000},
        {"dwHeight", 12, 129},
        {"dwWidth", 16, 257},
        {"dwPitchOrLinearSize", 20, 17160},
        {"dwMipMapCount", 28, 1},
        {"ddspf.dwSize", 76, 32},
        {"ddspf.dwFlags", 80, 0x4},
        {"ddspf.dwFourCC", 84, 0x30315844},
        {"dwCaps", 108, 0x1000},
        {"dxgiFormat", 128, 71},
        {"resourceDimension", 132, 3},
        {"arraySize", 140, 1},
    };
    expect_fields(&dds, fields, sizeof fields / sizeof fields[0]);
}

static void test_chain(void)
{
    const struct weir_dds dds = {
        .format = WEIR_DXGI_BC3_UNORM_SRGB,
        .width = 0x12345678,
        .height = 64,
        .num_levels = 7,
        .level_size = 0x89abcdef,
    };
    static const struct field fields[] = {
        {"dwMagic", 0, 0x20534444},
        {"dwSize", 4, 124},
        {"dwFlags", 8, 0xa1007},
        {"dwHeight", 12, 64},
        {"dwWidth", 16, 0x12345678},
        {"dwPitchOrLinearSize", 20, 0x89abcdef},
        {"dwMipMapCount", 28, 7},
        {"ddspf.dwSize", 76, 32},
        {"ddspf.dwFlags", 80, 0x4},
        {"ddspf.dwFourCC", 84, 0x30315844},
        {"dwCaps", 108, 0x8 | 0x1000 | 0x400000},
        {"dxgiFormat", 128, 78},
        {"resourceDimension", 132, 3},
        {"arraySize", 140, 1},
    };
    expect_fields(&dds, fields, sizeof fields / sizeof fields[0]);
}

// DXGI_FORMAT, as dxgiformat.h numbers it.
static void test_formats(void)
{
    test_expect(WEIR_DXGI_BC1_UNORM == 71 && WEIR_DXGI_BC1_UNORM_SRGB == 72, "BC1");
    test_expect(WEIR_DXGI_BC3_UNORM == 77 && WEIR_DXGI_BC3_UNORM_SRGB == 78, "BC3");
    test_expect(WEIR_DXGI_BC4_UNORM == 80, "BC4");
    test_expect(WEIR_DXGI_BC5_UNORM == 83, "BC5");
    test_expect(WEIR_DDS_HEADER_SIZE == 4 + 124 + 20, "the size of the header");
}

int main(void)
{
    test_one_level();
    test_chain();
    test_formats();
    return test_finish();
}
