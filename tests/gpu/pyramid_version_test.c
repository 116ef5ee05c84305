// SPDX-License-Identifier: MIT
// A kernel of a program's own that was compiled for another version of the library is refused.
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "shaders/pyramid/constants.h"
#include "tests/gpu/heard.h"
#include "tests/gpu/pyramid_test.h"

static const uint32_t kernel[] =
#include "custom_user.inc"
    ;
enum { NUM_WORDS = sizeof(kernel) / sizeof(kernel[0]) };

struct version {
    struct harness *harness;
    struct heard heard;
    weir_context *context;
    size_t id;    // index of the word with the id of the version's constant
    size_t value; // and of the word with its value
};

// Creating a pyramid with these words answers WEIR_OK where `word` is NULL, and else an error whose
// text has `word` in it.
static void expect(struct version *v, const uint32_t *words, size_t num_words, const char *word)
{
    weir_pyramid *pyramid = NULL;
    const enum weir_result result = weir_pyramid_create(
        v->context,
        weir_pyramid_params(.format = VK_FORMAT_R32_SFLOAT, .reduction = WEIR_PYRAMID_CUSTOM,
                            .kernel = words, .kernel_size = num_words * sizeof(*words)),
        &pyramid);
    heard_expect(&v->heard, "weir_pyramid_create", result, word ? WEIR_ERROR_INVALID : WEIR_OK,
                 word ? WEIR_LOG_CODE_KERNEL_VERSION : 0, word ? word : "");
    test_expect(!pyramid == !!word, "a pyramid: %d", pyramid != NULL);
    weir_pyramid_destroy(&pyramid);
}

// Find the version in the SPIR-V: OpDecorate %constant SpecId ID, and then OpSpecConstant %type
// %constant VALUE.
static void find(struct version *v)
{
    const uint32_t decorate = 4u << 16 | 71, spec_id = 1, spec_constant = 4u << 16 | 50;
    for (size_t i = 5; i + 4 <= NUM_WORDS; i += kernel[i] >> 16) {
        if (kernel[i] == decorate && kernel[i + 2] == spec_id &&
            kernel[i + 3] == WEIR_PYRAMID_CUSTOM_VERSION_ID) {
            v->id = i + 3;
        }
        if (v->id && kernel[i] == spec_constant && kernel[i + 2] == kernel[v->id - 2]) {
            v->value = i + 3;
            break;
        }
    }
    test_must(v->value != 0, "the kernel has no version");
}

static void test_changed(struct version *v)
{
    uint32_t *words = malloc(sizeof(kernel));
    test_must(words != NULL, "memory");
    memcpy(words, kernel, sizeof(kernel));
    expect(v, words, NUM_WORDS, NULL);
    words[v->value] = WEIR_PYRAMID_CUSTOM_VERSION + 1;
    expect(v, words, NUM_WORDS, "for version 4 of Weir's interface and this library has version 3");
    words[v->value] = 0xffffffff;
    expect(v, words, NUM_WORDS, "version 4294967295");
    words[v->value] = 0; // as a kernel that does not have the constant
    expect(v, words, NUM_WORDS, "holds no version");
    words[v->value] = WEIR_PYRAMID_CUSTOM_VERSION;
    words[v->id] = WEIR_PYRAMID_CUSTOM_VERSION_ID + 1;
    expect(v, words, NUM_WORDS, "holds no version");
    words[v->id] = WEIR_PYRAMID_CUSTOM_VERSION_ID;
    words[5] &= 0xffff; // an instruction of no length
    expect(v, words, NUM_WORDS, "holds no version");
    words[5] |= 0xffff0000u; // and one that is longer than the kernel
    expect(v, words, NUM_WORDS, "holds no version");
    words[5] = kernel[5];
    words[0] = 0x03022307; // the other byte order
    expect(v, words, NUM_WORDS, "not SPIR-V");
    free(words);
}

// Kernels that end before the version. Each has memory of its own, so that the address sanitizer
// sees what is read after its end.
static void test_cut(struct version *v)
{
    for (size_t num_words = 1; num_words <= v->value; num_words++) {
        uint32_t *words = malloc(num_words * sizeof(*words));
        test_must(words != NULL, "memory");
        memcpy(words, kernel, num_words * sizeof(*words));
        expect(v, words, num_words, num_words < 5 ? "not SPIR-V" : "holds no version");
        free(words);
    }
}

void pyramid_test_version(struct pyramid_runner *runner)
{
    struct version v = {.harness = runner->harness};
    struct weir_context_params params = *v.harness->import;
    params.log = heard_log(&v.heard);
    TEST_MUST(weir_context_create(&params, &v.context));
    find(&v);
    test_changed(&v);
    test_cut(&v);
    weir_context_destroy(&v.context);
}
