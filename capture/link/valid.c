// SPDX-License-Identifier: MIT
// Which messages are valid: their sizes, and the ranges of all numbers in them. Which numbers of
// streams there are is what both sides know of each other, and not seen here.
#include <stddef.h>
#include <string.h>

#include "capture/link/parts.h"

// The last values of the enums of <weir/encode.h>, which the link does not include: the test of the
// link compares them.
enum { LAST_CODEC = 19, LAST_EFFORT = 4, LAST_DECODER = 1 };

enum { MAX_SIDE = 65535 };

// The same for programs of 32 and of 64 bits.
_Static_assert(offsetof(struct link_message, hello) == 8, "the header");
_Static_assert(sizeof(struct link_hello) == 8 + 3 * LINK_TEXT_SIZE, "hello");
_Static_assert(sizeof(struct link_setup) == 56, "setup");
_Static_assert(sizeof(struct link_stream) == 32, "stream");
_Static_assert(sizeof(struct link_accept) == 48, "accept");
_Static_assert(sizeof(struct link_frame) == 32, "frame");
_Static_assert(sizeof(struct link_say) == 8 + LINK_TEXT_SIZE, "say");

uint32_t link_message_size(uint32_t type)
{
    static const uint32_t sizes[] = {
        [LINK_HELLO] = sizeof(struct link_hello),   [LINK_STREAM] = sizeof(struct link_stream),
        [LINK_FRAME] = sizeof(struct link_frame),   [LINK_END] = sizeof(struct link_end),
        [LINK_SAY] = sizeof(struct link_say),       [LINK_SETUP] = sizeof(struct link_setup),
        [LINK_RECORD] = sizeof(struct link_record), [LINK_ACCEPT] = sizeof(struct link_accept),
        [LINK_REFUSE] = sizeof(struct link_refuse), [LINK_RELEASE] = sizeof(struct link_release),
    };
    const bool is_known = type < sizeof(sizes) / sizeof(sizes[0]) && sizes[type] > 0;
    return is_known ? (uint32_t)offsetof(struct link_message, hello) + sizes[type] : 0;
}

uint64_t link_memory_size(const struct link_accept *accept)
{
    if (accept->num_slots < 2 || accept->num_slots > LINK_MAX_SLOTS || accept->slot_size == 0 ||
        accept->slot_size % LINK_ALIGNMENT != 0 ||
        accept->slot_size > LINK_MAX_MEMORY / accept->num_slots) {
        return 0;
    }
    return accept->num_slots * accept->slot_size;
}

static bool is_bool(uint32_t value)
{
    return value <= 1;
}

static bool is_text(const char text[LINK_TEXT_SIZE])
{
    return memchr(text, '\0', LINK_TEXT_SIZE) != NULL;
}

static bool is_hello(const struct link_hello *hello)
{
    return hello->version == LINK_VERSION && is_text(hello->program) && is_text(hello->device) &&
           is_text(hello->release);
}

static bool is_setup(const struct link_setup *setup)
{
    for (int i = 0; i < LINK_MAX_TEXTURES; i++) {
        if (setup->codecs[i] > LAST_CODEC) {
            return false;
        }
    }
    return setup->version == LINK_VERSION && setup->num_textures >= 1 &&
           setup->num_textures <= LINK_MAX_TEXTURES && setup->effort <= LAST_EFFORT &&
           setup->decoder <= LAST_DECODER && is_bool(setup->steady) && is_bool(setup->no_dither) &&
           setup->policy <= LINK_WAIT && setup->num_slots >= 2 &&
           setup->num_slots <= LINK_MAX_SLOTS && is_bool(setup->is_recording) &&
           is_bool(setup->is_linear) && setup->every >= 1 && setup->level <= LINK_MAX_LEVEL;
}

// A format and a color space are what enums of Vulkan can hold.
static bool is_stream(const struct link_stream *stream)
{
    return stream->width >= 1 && stream->width <= MAX_SIDE && stream->height >= 1 &&
           stream->height <= MAX_SIDE && stream->format <= INT32_MAX &&
           stream->color_space <= INT32_MAX;
}

// There is at least one texture, and none lies on the other. All lie in the slot.
static bool is_accept(const struct link_accept *accept)
{
    const uint64_t *offsets = accept->offsets, *sizes = accept->sizes;
    for (int i = 0; i < LINK_MAX_TEXTURES; i++) {
        if (offsets[i] > accept->slot_size || sizes[i] > accept->slot_size - offsets[i]) {
            return false;
        }
    }
    return link_memory_size(accept) > 0 && sizes[0] > 0 &&
           (sizes[1] == 0 || offsets[0] + sizes[0] <= offsets[1] ||
            offsets[1] + sizes[1] <= offsets[0]);
}

static bool is_frame(const struct link_frame *frame)
{
    return (frame->slot < LINK_MAX_SLOTS || frame->slot == LINK_NO_SLOT) && frame->time_ns >= 0;
}

bool link_is_valid(const struct link_message *message, uint32_t size)
{
    // The size comes first: of a shorter packet there is nothing else to read.
    if (size < offsetof(struct link_message, hello) || size != message->size ||
        size != link_message_size(message->type)) {
        return false;
    }
    switch (message->type) {
    case LINK_HELLO:
        return is_hello(&message->hello);
    case LINK_STREAM:
        return is_stream(&message->stream);
    case LINK_FRAME:
        return is_frame(&message->frame);
    case LINK_END:
        return true;
    case LINK_SAY:
        return is_bool(message->say.is_error) && is_text(message->say.text);
    case LINK_SETUP:
        return is_setup(&message->setup);
    case LINK_RECORD:
        return is_bool(message->record.is_recording);
    case LINK_ACCEPT:
        return is_accept(&message->accept);
    case LINK_REFUSE:
        return is_text(message->refuse.reason);
    default: // LINK_RELEASE: a type without a size is none
        return message->release.slot < LINK_MAX_SLOTS;
    }
}
