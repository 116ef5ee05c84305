// SPDX-License-Identifier: MIT
// Checks the params of a pyramid against the device, and a program's own kernel for the version in
// its SPIR-V, and resolves AUTO.
#include "pyramid/pyramid.h"

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

static enum weir_result check_custom(const weir_pyramid *pyramid)
{
    const struct weir_log *log = &pyramid->context->log;
    const uint32_t *words = pyramid->params.kernel;
    const size_t num_words = pyramid->params.kernel_size / sizeof(*words);
    WEIR_FAIL_IF(num_words < SPIRV_HEADER_WORDS || words[0] != SPIRV_MAGIC, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_KERNEL_VERSION,
                 "weir_pyramid_params.kernel is not SPIR-V in this machine's byte order");
    const uint32_t version = find_constant(words, num_words, WEIR_PYRAMID_CUSTOM_VERSION_ID);
    WEIR_FAIL_IF(version == 0, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_KERNEL_VERSION,
                 "weir_pyramid_params.kernel holds no version of Weir's interface: compile "
                 "it with the weir/pyramid_custom.glsl of this library");
    WEIR_FAIL_IF(version != WEIR_PYRAMID_CUSTOM_VERSION, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_KERNEL_VERSION,
                 "weir_pyramid_params.kernel was compiled for version %u of Weir's "
                 "interface and this library has version %u: compile it again",
                 version, WEIR_PYRAMID_CUSTOM_VERSION);
    return WEIR_OK;
}

enum { MAX_IMAGES = 1 << 16 };

static enum weir_result check_enums(const weir_pyramid *pyramid)
{
    const struct weir_log *log = &pyramid->context->log;
    const struct weir_pyramid_params *params = &pyramid->params;
    WEIR_FAIL_IF(!weir_pyramid_method_get_info(params->method), log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_UNKNOWN_VALUE, "method %d is not a weir_pyramid_method",
                 (int)params->method);
    WEIR_FAIL_IF(!weir_pyramid_reduction_get_info(params->reduction), log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_UNKNOWN_VALUE, "reduction %d is not a weir_pyramid_reduction",
                 (int)params->reduction);
    WEIR_FAIL_IF(
        !pyramid->format, log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
        "levels cannot be stored in VkFormat %d; use a format of weir_pyramid_format_list()",
        (int)params->format);
    WEIR_FAIL_IF((unsigned)params->precision > WEIR_PYRAMID_PRECISION_EXACT, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "precision %d is not a weir_pyramid_precision", (int)params->precision);
    WEIR_FAIL_IF(
        params->max_images > MAX_IMAGES, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
        "weir_pyramid_params.max_images is %u; it must be 0 to %d", params->max_images, MAX_IMAGES);
    return WEIR_OK;
}

static enum weir_result check_reduction(const weir_pyramid *pyramid)
{
    const struct weir_log *log = &pyramid->context->log;
    const struct weir_pyramid_params *params = &pyramid->params;
    const uint32_t channels = pyramid->format->num_channels;
    const bool is_custom = params->reduction == WEIR_PYRAMID_CUSTOM;
    WEIR_FAIL_IF(is_custom == !params->kernel || (is_custom && params->kernel_size % 4 != 0), log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "the reduction CUSTOM requires weir_pyramid_params.kernel, of a multiple "
                 "of 4 bytes, and no other reduction has one");
    WEIR_FAIL_IF(is_custom && params->method != WEIR_PYRAMID_SINGLE, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "the reduction CUSTOM is for the methods AUTO and SINGLE");
    WEIR_FAIL_IF((params->reduction == WEIR_PYRAMID_ALPHA_MEAN && channels < 4) ||
                     (params->reduction == WEIR_PYRAMID_MIN_MAX && channels < 2),
                 log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                 "the reduction %s needs more channels than %s has: %s",
                 weir_pyramid_reduction_get_info(params->reduction)->name, pyramid->format->name,
                 params->reduction == WEIR_PYRAMID_MIN_MAX ? "two" : "four");
    return is_custom ? check_custom(pyramid) : WEIR_OK;
}

// Returns the reason why kernels cannot write the format on this device, or NULL if they can.
static const char *missing_for_kernels(const weir_pyramid *pyramid)
{
    const weir_context *context = pyramid->context;
    if (!context->features.write_without_format) {
        return "the feature shaderStorageImageWriteWithoutFormat is not enabled";
    }
    if (!weir_vk_has_format(context, pyramid->format->store, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) {
        return "this device cannot write the format as a storage image";
    }
    if (!weir_vk_has_format(context, pyramid->params.format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) {
        return "this device cannot sample the format";
    }
    if (context->limits.maxPerStageDescriptorStorageImages < WEIR_PYRAMID_MAX_LEVELS) {
        return "this device binds fewer storage images than a chain has levels "
               "(maxPerStageDescriptorStorageImages)";
    }
    return NULL;
}

// Returns the reason why the blit chain cannot be used, or NULL if it can.
static const char *missing_for_blit(const weir_pyramid *pyramid)
{
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_BLIT_SRC_BIT |
                                        VK_FORMAT_FEATURE_BLIT_DST_BIT |
                                        VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    const struct weir_pyramid_params *params = &pyramid->params;
    if (!pyramid->context->has_graphics) {
        return "blits need a queue with graphics";
    }
    if (params->reduction != WEIR_PYRAMID_MEAN) {
        return "blits can make a mean only";
    }
    if (params->source_format) {
        return "blits take no source";
    }
    if (weir_pyramid_decodes(params, params->format)) {
        return "blits decode sRGB as the device does, not exactly (PRECISION_EXACT)";
    }
    if (!weir_vk_has_format(pyramid->context, params->format, needed)) {
        return "this device cannot blit the format with a linear filter";
    }
    return NULL;
}

static enum weir_result resolve_method(weir_pyramid *pyramid)
{
    struct weir_pyramid_params *params = &pyramid->params;
    const struct weir_log *log = &pyramid->context->log;
    const char *no_kernels = missing_for_kernels(pyramid);
    const char *no_blit = missing_for_blit(pyramid);
    if (params->method == WEIR_PYRAMID_AUTO) {
        pyramid->chooses = true;
        params->method = no_kernels && !no_blit ? WEIR_PYRAMID_BLIT : WEIR_PYRAMID_SINGLE;
        if (params->method == WEIR_PYRAMID_BLIT) {
            weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                            "pyramids of %s are made by blits, which are wrong at odd sizes: %s",
                            pyramid->format->name, no_kernels);
        }
    }
    const char *reason = params->method == WEIR_PYRAMID_BLIT ? no_blit : no_kernels;
    WEIR_FAIL_IF(reason, log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                 "method %s, reduction %s, format %s: %s",
                 weir_pyramid_method_get_info(params->method)->name,
                 weir_pyramid_reduction_get_info(params->reduction)->name, pyramid->format->name,
                 reason);
    return WEIR_OK;
}

// True if kernels read the format's texels as floats. Formats that can be filtered are floats, as
// integers cannot; a driver that filters stencils (Mesa 25) does not make floats of them. Floats
// that some devices cannot filter are in the table of formats, or depth.
static bool is_read_as_float(const weir_pyramid *pyramid, VkFormat format)
{
    if (format == VK_FORMAT_S8_UINT) {
        return false;
    }
    return weir_pyramid_format_get_info(format) || weir_pyramid_has_one_channel(format) ||
           weir_vk_has_format(pyramid->context, format,
                              VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
}

// True if `format` is a VkFormat of one plane. Drivers look formats up in tables, some without a
// check of their own.
static bool is_known(VkFormat format)
{
    static const struct {
        VkFormat first, last;
    } ranges[] = {
        {VK_FORMAT_R4G4_UNORM_PACK8, VK_FORMAT_ASTC_12x12_SRGB_BLOCK},
        {VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG, VK_FORMAT_PVRTC2_4BPP_SRGB_BLOCK_IMG},
        {VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK, VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK},
        {VK_FORMAT_A4R4G4B4_UNORM_PACK16, VK_FORMAT_A4B4G4R4_UNORM_PACK16},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (format >= ranges[i].first && format <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static enum weir_result check_source(const weir_pyramid *pyramid)
{
    const VkFormat format = pyramid->params.source_format;
    const char *reason = NULL;
    if (format && !is_known(format)) {
        reason = "it is unknown or has several planes:";
    } else if (format &&
               !weir_vk_has_format(pyramid->context, format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) {
        reason = "this device cannot sample";
    } else if (format && !is_read_as_float(pyramid, format)) {
        reason = "kernels read floats, not integers such as";
    } else if (format && pyramid->params.precision == WEIR_PYRAMID_PRECISION_EXACT &&
               !weir_pyramid_is_depth(format) && !weir_pyramid_format_get_info(format)) {
        reason = "PRECISION_EXACT needs a format of weir_pyramid_format_list(), not";
    }
    return reason
               ? weir_fail(&pyramid->context->log, WEIR_ERROR_UNSUPPORTED,
                           WEIR_LOG_CODE_MISSING_FORMAT,
                           "weir_pyramid_params.source_format: %s VkFormat %d", reason, (int)format)
               : WEIR_OK;
}

enum weir_result weir_pyramid_check(weir_pyramid *pyramid)
{
    WEIR_TRY(check_enums(pyramid));
    WEIR_TRY(resolve_method(pyramid));
    WEIR_TRY(check_reduction(pyramid));
    return check_source(pyramid);
}
