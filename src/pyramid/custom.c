// SPDX-License-Identifier: MIT
// Reads the version of the interface out of a kernel's SPIR-V.
#include "pyramid/custom.h"

#include <stdbool.h>

#include "shaders/pyramid/constants.h"

// SPIR-V specification 1.6, 2.3 (layout of a module) and 3.49 (opcodes).
enum {
    SPIRV_MAGIC = 0x07230203,
    SPIRV_HEADER_WORDS = 5,
    SPIRV_OP_SPEC_CONSTANT = 50,
    SPIRV_OP_DECORATE = 71,
    SPIRV_DECORATION_SPEC_ID = 1,
};

// The default value of the specialization constant with this id, or 0 where the module has none.
// Decorations come before the constants that they decorate.
static uint32_t find_constant(const uint32_t *words, size_t num_words, uint32_t constant_id)
{
    bool is_decorated = false;
    uint32_t decorated = 0;
    size_t i = SPIRV_HEADER_WORDS;
    while (i < num_words) {
        const uint32_t opcode = words[i] & 0xffff, length = words[i] >> 16;
        if (length == 0 || length > num_words - i) {
            return 0; // not SPIR-V
        }
        const uint32_t *operands = &words[i + 1];
        if (opcode == SPIRV_OP_DECORATE && length == 4 && operands[1] == SPIRV_DECORATION_SPEC_ID &&
            operands[2] == constant_id) {
            is_decorated = true;
            decorated = operands[0];
        }
        if (opcode == SPIRV_OP_SPEC_CONSTANT && length == 4 && is_decorated &&
            operands[1] == decorated) {
            return operands[2];
        }
        i += length;
    }
    return 0;
}

enum weir_result weir_pyramid_custom_check(const weir_pyramid *pyramid)
{
    const struct weir_log *log = &pyramid->context->log;
    const uint32_t *words = pyramid->params.kernel;
    const size_t num_words = pyramid->params.kernel_size / sizeof(*words);
    if (num_words < SPIRV_HEADER_WORDS || words[0] != SPIRV_MAGIC) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_KERNEL_VERSION,
                         "weir_pyramid_params.kernel is not SPIR-V in this machine's byte order");
    }
    const uint32_t version = find_constant(words, num_words, WEIR_PYRAMID_CUSTOM_VERSION_ID);
    if (version == 0) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_KERNEL_VERSION,
                         "weir_pyramid_params.kernel holds no version of Weir's interface: compile "
                         "it with the weir/pyramid_custom.glsl of this library");
    }
    if (version != WEIR_PYRAMID_CUSTOM_VERSION) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_KERNEL_VERSION,
                         "weir_pyramid_params.kernel was compiled for version %u of Weir's "
                         "interface and this library has version %u: compile it again",
                         version, WEIR_PYRAMID_CUSTOM_VERSION);
    }
    return WEIR_OK;
}
