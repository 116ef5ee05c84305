// SPDX-License-Identifier: MIT
// Files of textures: which formats they hold; what is cut short is refused. tests/fuzz/texture.c
// has what is read back, and files that lie. With the name of a folder this writes a KTX2 file of
// every format there, for another judge, and ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <weir/pyramid.h>

#include "capture/files/block/block.h"
#include "testing.h"
#include "texture_file.h"

// Sizes of whole blocks and not, and of one row and one column.
static const struct {
    uint32_t width, height, num_levels;
} sizes[] = {{16, 16, 1}, {30, 18, 5}, {1, 1, 1}, {257, 3, 9}, {2, 64, 7}, {12, 8, 2}};
enum { NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static struct texture_file make_file(const char *form, VkFormat format, int size)
{
    return texture_file_make(form, (struct weir_texture){.format = format,
                                                         .width = sizes[size].width,
                                                         .height = sizes[size].height,
                                                         .num_levels = sizes[size].num_levels});
}

// That each is read back as it was written, with what it says of alpha, rows and images, is seen by
// tests/fuzz/texture.c.
static void test_formats(void)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    int num = 0;
    for (int c = 0; weir_container_at(c); c++) {
        for (size_t i = 0; i < num_formats; i++) {
            num += weir_container_at(c)->holds(formats[i].format, "");
        }
    }
    // Of texels KTX2 has 39, none of a shared exponent; KTX none; DDS not sRGB of up to 24 bits,
    // nor words of 48 bits.
    test_expect(num == 26 + 39 + 26 + 16 + 34, "%d formats of containers", num);
}

// Memory that ends where a page does, and nothing may be read behind it.
struct guarded {
    uint8_t *pages, *end;
    size_t size;
};

static struct guarded guard(size_t room)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (room + page - 1) / page * page;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    uint8_t *pages = mmap(NULL, size + page, PROT_READ | PROT_WRITE, flags, -1, 0);
    test_must(pages != MAP_FAILED && mprotect(pages + size, page, PROT_NONE) == 0, "mmap");
    return (struct guarded){pages, pages + size, size + page};
}

// A file that reads without an error has all its levels, and every byte of them is there.
static enum weir_result read_all(const struct guarded *memory, const uint8_t *file, size_t size)
{
    const struct weir_texture_bytes bytes = {"file", memory->end - size, size, &test_log, 0};
    memcpy(memory->end - size, file, size);
    struct weir_texture texture;
    const enum weir_result result = weir_texture_read(&bytes, &texture);
    if (result != WEIR_OK) {
        test_expect(result == WEIR_ERROR_DATA || result == WEIR_ERROR_UNSUPPORTED, "result %d",
                    (int)result);
        weir_texture_finish(&texture);
        return result;
    }
    test_expect(weir_block_get_format(texture.format) && texture.num_levels >= 1 &&
                    texture.num_levels <= WEIR_TEXTURE_MAX_LEVELS,
                "what was read is a texture");
    unsigned sum = 0;
    for (uint32_t i = 0; i < texture.num_levels; i++) {
        test_expect(texture.levels[i].size ==
                        weir_texture_level_size(texture.format, texture.width, texture.height, i),
                    "level %u has its size", i);
        for (uint64_t k = 0; k < texture.levels[i].size; k++) {
            sum += texture.levels[i].blocks[k];
        }
    }
    volatile unsigned kept = sum; // the bytes were read
    (void)kept;
    weir_texture_finish(&texture);
    return result;
}

// A file of each form, cut anywhere.
static void test_truncated(const char *form, const struct guarded *memory)
{
    struct texture_file file = make_file(form, VK_FORMAT_BC3_UNORM_BLOCK, 1);
    for (size_t size = 0; size < file.size; size++) {
        test_expect(read_all(memory, file.data, size) == WEIR_ERROR_DATA,
                    "%s cut short to %zu of %zu bytes", form, size, file.size);
    }
    test_expect(read_all(memory, file.data, file.size) == WEIR_OK, "%s uncut", form);
    texture_file_free(&file);
}

static void test_strange(void)
{
    struct weir_texture texture;
    const uint8_t noise[64] = "no texture";
    const struct weir_texture_bytes bytes = {"noise", noise, sizeof(noise), &test_log, 0};
    test_expect(weir_texture_read(&bytes, &texture) == WEIR_ERROR_DATA, "noise");
    test_expect(weir_container_of_path("a.KTX2") == texture_container("ktx2") &&
                    weir_container_of_path("a.b/c.dds") == texture_container("dds") &&
                    weir_container_of_path("x.ktx") == texture_container("ktx") &&
                    !weir_container_of_path("a.ktx2/b") && !weir_container_of_path(".dds") &&
                    !weir_container_of_path("dds") && !weir_container_of_path("a/.ktx"),
                "endings");
    test_expect(weir_pyramid_full_chain(1, 1) == 1 && weir_pyramid_full_chain(3, 9) == 4 &&
                    weir_pyramid_full_chain(WEIR_TEXTURE_MAX_SIDE, 1) == WEIR_TEXTURE_MAX_LEVELS,
                "chains");
}

// A codec holds the channels of its blocks' format; scaled YCoCg in BC3 makes three of four.
static void test_channels(void)
{
    size_t num_codecs;
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        const struct weir_block_format *format = weir_block_get_format(codecs[i].format);
        const uint32_t want = codecs[i].codec == WEIR_CODEC_YCOCG_BC3 ? 3 : format->num_channels;
        test_expect(codecs[i].num_channels == want, "%s holds %u channels, not %u", codecs[i].name,
                    want, codecs[i].num_channels);
    }
}

static int write_files(const char *folder)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        const bool holds = weir_ktx2.holds(formats[i].format, "");
        for (int size = 0; holds && size < NUM_SIZES; size++) {
            struct texture_file file = texture_file_make(
                "ktx2", (struct weir_texture){.format = formats[i].format,
                                              .width = sizes[size].width,
                                              .height = sizes[size].height,
                                              .num_layers = size == 1 ? 3 : 0,
                                              .is_cube = size < 2,
                                              .num_levels = sizes[size].num_levels});
            char path[512];
            snprintf(path, sizeof(path), "%s/%s_%ux%u.ktx2", folder, formats[i].name,
                     sizes[size].width, sizes[size].height);
            FILE *out = fopen(path, "wb");
            test_expect(out && fwrite(file.data, 1, file.size, out) == file.size, "%s", path);
            test_expect(out && fclose(out) == 0, "%s closes", path);
            texture_file_free(&file);
        }
    }
    return test_finish();
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return write_files(argv[1]);
    }
    struct guarded memory = guard(1 << 16);
    test_formats();
    test_channels();
    for (int i = 0; weir_container_at(i); i++) {
        test_truncated(weir_container_at(i)->name, &memory);
    }
    test_truncated("zstd", &memory);
    test_strange();
    munmap(memory.pages, memory.size);
    return test_finish();
}
