// SPDX-License-Identifier: MIT
// NULL for each pointer of each public call: WEIR_ERROR_INVALID and a message that names the
// argument where a log can be reached, or what the header says. tests/unit/null_calls.sh holds that
// every call is here.
#include <string.h>
#include <unistd.h>

#include "tests/gpu/null_objects.h"

// The call is refused, and the log names the argument.
#define REFUSED(n, argument, call)                                                                 \
    heard_expect(&(n)->heard, #call, call, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,        \
                 argument)
// The call is refused. What would lead to a log is NULL.
#define SILENT(n, call) heard_expect(&(n)->heard, #call, call, WEIR_ERROR_INVALID, 0, "")
// NULL for each argument of a call of two or three: the first is refused without a log.
#define EACH_OF_2(n, call, a, name_b, b)                                                           \
    do {                                                                                           \
        SILENT(n, call(NULL, b));                                                                  \
        REFUSED(n, name_b, call(a, NULL));                                                         \
    } while (0)
#define EACH_OF_3(n, call, a, name_b, b, name_c, c)                                                \
    do {                                                                                           \
        SILENT(n, call(NULL, b, c));                                                               \
        REFUSED(n, name_b, call(a, NULL, c));                                                      \
        REFUSED(n, name_c, call(a, b, NULL));                                                      \
    } while (0)
// NULL is allowed: `condition` holds, and the log has no message. `what` is for a reader.
#define EXPECT_ALLOWED(n, what, condition)                                                         \
    do {                                                                                           \
        test_expect(condition, "not so: %s", what);                                                \
        test_expect((n)->heard.num == 0, "%s says: %s", what, (n)->heard.text);                    \
    } while (0)
#define ALLOWED(n, condition) EXPECT_ALLOWED(n, #condition, condition)
#define ALL_ZERO(n, type, call)                                                                    \
    do {                                                                                           \
        const type got = call, zero = {0};                                                         \
        EXPECT_ALLOWED(n, #call " is zero", memcmp(&got, &zero, sizeof(got)) == 0);                \
    } while (0)
// The call of a destroy function takes NULL and a pointer to NULL.
#define DESTROYS(n, destroy, type)                                                                 \
    do {                                                                                           \
        type *none = NULL;                                                                         \
        destroy(NULL);                                                                             \
        destroy(&none);                                                                            \
        EXPECT_ALLOWED(n, #destroy, !none);                                                        \
    } while (0)
// A create call sets `out` to NULL where it refuses another argument.
#define CREATES(n, create, type, owner, params)                                                    \
    do {                                                                                           \
        type *out = (type *)(n);                                                                   \
        SILENT(n, create(NULL, params, &out));                                                     \
        EXPECT_ALLOWED(n, #create " clears out", !out);                                            \
        out = (type *)(n);                                                                         \
        REFUSED(n, "params", create(owner, NULL, &out));                                           \
        EXPECT_ALLOWED(n, #create " clears out", !out);                                            \
        REFUSED(n, "out", create(owner, params, NULL));                                            \
    } while (0)

static void test_pure(struct nulls *n)
{
    enum weir_codec codec;
    enum weir_movie_codec movie_codec;
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    VkFormat format;
    ALLOWED(n, weir_codec_list(NULL));
    ALLOWED(n, weir_movie_codec_list(NULL));
    ALLOWED(n, weir_pyramid_method_list(NULL));
    ALLOWED(n, weir_pyramid_reduction_list(NULL));
    ALLOWED(n, weir_pyramid_format_list(NULL));
    ALLOWED(n, weir_requirement_list(NULL));
    ALLOWED(n, !weir_codec_by_name(NULL, &codec));
    ALLOWED(n, !weir_codec_by_name("bc1", NULL));
    ALLOWED(n, !weir_movie_codec_by_name(NULL, &movie_codec));
    ALLOWED(n, !weir_movie_codec_by_name("hap", NULL));
    ALLOWED(n, !weir_pyramid_method_by_name(NULL, &method));
    ALLOWED(n, !weir_pyramid_method_by_name("single", NULL));
    ALLOWED(n, !weir_pyramid_reduction_by_name(NULL, &reduction));
    ALLOWED(n, !weir_pyramid_reduction_by_name("mean", NULL));
    ALLOWED(n, !weir_pyramid_format_by_name(NULL, &format));
    ALLOWED(n, !weir_pyramid_format_by_name("r8_unorm", NULL));
}

static void test_log(struct nulls *n)
{
    const char *none = NULL; // through a variable, as compilers refuse the constant
    weir_log_printf(NULL, WEIR_LOG_ERROR, WEIR_LOG_CODE_NONE, "nobody hears this");
    weir_log_printf(&n->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NONE, none, 0);
    ALLOWED(n, weir_fail(NULL, WEIR_ERROR_IO, WEIR_LOG_CODE_NONE, "a reason") == WEIR_ERROR_IO);
    ALLOWED(n, weir_fail(&n->log, WEIR_ERROR_IO, WEIR_LOG_CODE_NONE, none, 0) == WEIR_ERROR_IO);
    ALLOWED(n, n->heard.num == 0);
    char line[8] = "before";
    weir_log_escape(NULL, line, sizeof(line));
    ALLOWED(n, line[0] == 0);
    weir_log_escape("text", NULL, 0);
    weir_log_print_stderr(NULL, NULL);
    weir_log_print_stderr(NULL, &(struct weir_log_message){.severity = WEIR_LOG_ERROR});
}

static void test_device(struct nulls *n)
{
    weir_device *device = (weir_device *)n;
    SILENT(n, weir_device_create(NULL, &device));
    ALLOWED(n, !device);
    REFUSED(n, "out", weir_device_create(weir_device_params(.log = n->log), NULL));
    REFUSED(
        n, "device_extensions",
        weir_device_create(weir_device_params(.num_device_extensions = 1, .log = n->log), &device));
    static const char *const names[] = {VK_KHR_SURFACE_EXTENSION_NAME, NULL};
    REFUSED(n, "instance_extensions[1]",
            weir_device_create(weir_device_params(.instance_extensions = names,
                                                  .num_instance_extensions = 2, .log = n->log),
                               &device));
    ALLOWED(n, !weir_device_import(NULL));
    ALLOWED(n, !weir_device_get_surface(NULL));
    ALLOWED(n, weir_device_get_num_messages(NULL) == 0);
    DESTROYS(n, weir_device_destroy, weir_device);
    uint32_t num = 1;
    struct weir_device_entry entry;
    ALLOWED(n, weir_device_list(NULL, NULL, &entry, &num) == WEIR_OK && num == 1);
    REFUSED(n, "entries", weir_device_list(NULL, &n->log, NULL, &num));
    REFUSED(n, "num", weir_device_list(NULL, &n->log, &entry, NULL));
    SILENT(n, weir_device_list(NULL, NULL, &entry, NULL));
    num = 0;
    ALLOWED(n, weir_device_list(NULL, NULL, NULL, &num) == WEIR_OK);
}

static void test_gpu_kernels(struct nulls *n, weir_gpu *gpu, VkCommandBuffer cmd)
{
    static const uint32_t code[1];
    static const struct weir_gpu_binding binding = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const struct weir_gpu_layout_params params = {.bindings = &binding, .num_bindings = 1};
    const struct weir_gpu_layout_params no_bindings = {.num_bindings = 1};
    const struct weir_gpu_layout_params no_num = {.bindings = &binding};
    const struct weir_gpu_kernel kernel = {.code = code, .code_size = sizeof(code)};
    const struct weir_gpu_kernel no_code = {.code_size = 4};
    struct weir_gpu_layout layout = {.num_bindings = 1};
    VkDescriptorPool pool;
    VkPipeline pipeline;
    VkDescriptorSet set;
    SILENT(n, weir_gpu_layout_init(NULL, &params, &layout));
    REFUSED(n, "params", weir_gpu_layout_init(gpu, NULL, &layout));
    REFUSED(n, "bindings", weir_gpu_layout_init(gpu, &no_bindings, &layout));
    heard_expect(&n->heard, "no bindings", weir_gpu_layout_init(gpu, &no_num, &layout),
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE, "num_bindings");
    REFUSED(n, "out", weir_gpu_layout_init(gpu, &params, NULL));
    ALLOWED(n, layout.num_bindings == 0);
    ALLOWED(n, weir_gpu_layout_init(gpu, &params, &layout) == WEIR_OK);
    SILENT(n, weir_gpu_pipeline_init(NULL, &layout, &kernel, &pipeline));
    REFUSED(n, "layout", weir_gpu_pipeline_init(gpu, NULL, &kernel, &pipeline));
    REFUSED(n, "kernel", weir_gpu_pipeline_init(gpu, &layout, NULL, &pipeline));
    REFUSED(n, "code", weir_gpu_pipeline_init(gpu, &layout, &no_code, &pipeline));
    REFUSED(n, "out", weir_gpu_pipeline_init(gpu, &layout, &kernel, NULL));
    SILENT(n, weir_gpu_pool_init(NULL, &layout, 1, &pool));
    REFUSED(n, "layout", weir_gpu_pool_init(gpu, NULL, 1, &pool));
    REFUSED(n, "out", weir_gpu_pool_init(gpu, &layout, 1, NULL));
    ALLOWED(n, weir_gpu_pool_init(gpu, &layout, 1, &pool) == WEIR_OK);
    const struct weir_gpu_descriptor nothing = {.buffer = VK_NULL_HANDLE};
    SILENT(n, weir_gpu_set_init(NULL, pool, &layout, &nothing, &set));
    REFUSED(n, "pool", weir_gpu_set_init(gpu, VK_NULL_HANDLE, &layout, &nothing, &set));
    REFUSED(n, "layout", weir_gpu_set_init(gpu, pool, NULL, &nothing, &set));
    REFUSED(n, "descriptors", weir_gpu_set_init(gpu, pool, &layout, NULL, &set));
    REFUSED(n, "out", weir_gpu_set_init(gpu, pool, &layout, &nothing, NULL));
    weir_cmd_bind(NULL, cmd, &layout, VK_NULL_HANDLE, VK_NULL_HANDLE, NULL);
    weir_cmd_bind(gpu, NULL, &layout, VK_NULL_HANDLE, VK_NULL_HANDLE, NULL);
    weir_cmd_bind(gpu, cmd, NULL, VK_NULL_HANDLE, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorPool(n->harness.vk, pool, NULL);
    weir_gpu_layout_finish(NULL, &layout);
    weir_gpu_layout_finish(gpu, NULL);
    weir_gpu_layout_finish(gpu, &layout);
}

static void test_swapchain(struct nulls *n, weir_gpu *gpu)
{
    static const struct weir_swapchain_params params = {.surface = (VkSurfaceKHR)8}, no_surface;
    struct weir_swapchain swapchain = {.num_images = 1};
    SILENT(n, weir_swapchain_init(NULL, &params, &swapchain));
    REFUSED(n, "params", weir_swapchain_init(gpu, NULL, &swapchain));
    REFUSED(n, "surface", weir_swapchain_init(gpu, &no_surface, &swapchain));
    REFUSED(n, "out", weir_swapchain_init(gpu, &params, NULL));
    heard_expect(&n->heard, "no extension", weir_swapchain_init(gpu, &params, &swapchain),
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE, "VK_KHR_swapchain");
    SILENT(n, weir_swapchain_resize(NULL, &swapchain, 1, 1));
    REFUSED(n, "swapchain", weir_swapchain_resize(gpu, NULL, 1, 1));
    EACH_OF_2(n, weir_swapchain_acquire, gpu, "swapchain", &swapchain);
    ALLOWED(n, weir_swapchain_acquire(gpu, &swapchain) == WEIR_NOT_READY);
    EACH_OF_2(n, weir_swapchain_present, gpu, "swapchain", &swapchain);
    weir_swapchain_finish(NULL, &swapchain);
    weir_swapchain_finish(gpu, NULL);
    weir_swapchain_finish(gpu, &swapchain);
}

static void test_gpu(struct nulls *n)
{
    weir_gpu *gpu = NULL;
    struct weir_context_params import = *n->harness.import;
    import.log = n->log;
    const struct weir_queue queue = n->harness.host;
    SILENT(n, weir_gpu_create(NULL, &gpu));
    SILENT(n, weir_gpu_create(weir_gpu_params(.queue = queue), &gpu));
    REFUSED(n, "queue", weir_gpu_create(weir_gpu_params(.import = &import), &gpu));
    REFUSED(n, "out", weir_gpu_create(weir_gpu_params(.import = &import, .queue = queue), NULL));
    DESTROYS(n, weir_gpu_destroy, weir_gpu);
    ALLOWED(n, weir_gpu_create(weir_gpu_params(.import = &import, .queue = queue), &gpu) == 0);

    const struct weir_gpu_buffer_params *buffer_params = weir_gpu_buffer_params(.size = 4);
    const struct weir_image_params *image_params = weir_image_params(.width = 1);
    const VkMemoryRequirements needs = {.size = 4};
    struct weir_gpu_buffer buffer = {.size = 1};
    struct weir_gpu_image image = {.params = {.width = 1}};
    VkDeviceMemory memory;
    VkImageView view;
    SILENT(n, weir_gpu_allocate(NULL, &needs, WEIR_GPU_MEMORY_HOST, &memory));
    REFUSED(n, "needs", weir_gpu_allocate(gpu, NULL, WEIR_GPU_MEMORY_HOST, &memory));
    REFUSED(n, "out", weir_gpu_allocate(gpu, &needs, WEIR_GPU_MEMORY_HOST, NULL));
    EACH_OF_3(n, weir_gpu_buffer_init, gpu, "params", buffer_params, "out", &buffer);
    SILENT(n, weir_gpu_image_init(NULL, image_params, 0, &image));
    REFUSED(n, "params", weir_gpu_image_init(gpu, NULL, 0, &image));
    REFUSED(n, "out", weir_gpu_image_init(gpu, image_params, 0, NULL));
    SILENT(n, weir_gpu_view_init(NULL, image_params, 0, 1, &view));
    REFUSED(n, "image", weir_gpu_view_init(gpu, NULL, 0, 1, &view));
    REFUSED(n, "out", weir_gpu_view_init(gpu, image_params, 0, 1, NULL));
    ALLOWED(n, buffer.size == 0 && image.params.width == 0);
    weir_gpu_buffer_finish(NULL, &buffer);
    weir_gpu_buffer_finish(gpu, NULL);
    weir_gpu_buffer_finish(gpu, &buffer);
    weir_gpu_image_finish(NULL, &image);
    weir_gpu_image_finish(gpu, NULL);
    weir_gpu_image_finish(gpu, &image);

    VkCommandBuffer cmd = NULL;
    struct weir_point done;
    EACH_OF_2(n, weir_gpu_begin, gpu, "out", &cmd);
    SILENT(n, weir_gpu_submit(NULL, n->cmd, NULL, &done));
    REFUSED(n, "cmd", weir_gpu_submit(gpu, NULL, NULL, &done));
    EACH_OF_2(n, weir_gpu_run, gpu, "cmd", n->cmd);
    SILENT(n, weir_gpu_wait(NULL, (struct weir_point){0}, 0));
    ALLOWED(n, weir_gpu_wait(gpu, (struct weir_point){0}, 0) == WEIR_OK);
    ALL_ZERO(n, struct weir_point, weir_gpu_get_last(NULL));
    ALL_ZERO(n, struct weir_point, weir_gpu_get_last(gpu));
    ALLOWED(n, weir_gpu_begin(gpu, &cmd) == WEIR_OK);
    weir_gpu_discard(NULL, cmd);
    weir_gpu_discard(gpu, NULL);
    const struct weir_gpu_copy no_image = {.level = 0};
    weir_cmd_barrier(NULL, cmd, NULL, (struct weir_gpu_scope){0}, (struct weir_gpu_scope){0});
    weir_cmd_barrier(gpu, NULL, NULL, (struct weir_gpu_scope){0}, (struct weir_gpu_scope){0});
    weir_cmd_upload(NULL, cmd, &no_image);
    weir_cmd_upload(gpu, cmd, NULL);
    weir_cmd_upload(gpu, cmd, &no_image);
    weir_cmd_download(NULL, cmd, &no_image);
    weir_cmd_download(gpu, cmd, NULL);
    weir_cmd_download(gpu, cmd, &no_image);
    test_gpu_kernels(n, gpu, cmd);
    test_swapchain(n, gpu);
    ALLOWED(n, weir_gpu_run(gpu, cmd) == WEIR_OK);
    weir_gpu_destroy(&gpu);
}

static void test_context(struct nulls *n)
{
    weir_context *context = (weir_context *)n;
    struct weir_context_params params = *n->harness.import;
    params.log = n->log;
    SILENT(n, weir_context_create(NULL, &context));
    ALLOWED(n, !context);
    REFUSED(n, "out", weir_context_create(&params, NULL));
    static const char *const names[] = {NULL};
    params.device_extensions = names;
    params.num_device_extensions = 1;
    REFUSED(n, "device_extensions[0]", weir_context_create(&params, &context));
    params.num_device_extensions = 0;
    params.instance_extensions = NULL;
    params.num_instance_extensions = 1;
    REFUSED(n, "instance_extensions", weir_context_create(&params, &context));
    ALLOWED(n, !context);
    size_t size = 1;
    SILENT(n, weir_context_save_cache(NULL, &size, NULL));
    REFUSED(n, "size", weir_context_save_cache(n->context, NULL, NULL));
    ALL_ZERO(n, struct weir_queue, weir_context_get_queue(NULL));
    ALL_ZERO(n, struct weir_log, weir_context_get_log(NULL));
    ALLOWED(n, !weir_context_is_async(NULL));
    DESTROYS(n, weir_context_destroy, weir_context);
}

static void test_frame(struct nulls *n)
{
    const struct weir_image_params image = weir_image_get_params(n->image);
    const struct weir_buffer_params buffer = weir_buffer_get_params(n->buffer);
    CREATES(n, weir_image_create, weir_image, n->context, &image);
    CREATES(n, weir_buffer_create, weir_buffer, n->context, &buffer);
    ALL_ZERO(n, struct weir_image_params, weir_image_get_params(NULL));
    ALL_ZERO(n, struct weir_buffer_params, weir_buffer_get_params(NULL));
    DESTROYS(n, weir_image_destroy, weir_image);
    DESTROYS(n, weir_buffer_destroy, weir_buffer);
    const struct weir_frame without = {.layout = VK_IMAGE_LAYOUT_GENERAL,
                                       .queue_family = VK_QUEUE_FAMILY_EXTERNAL};
    const struct weir_frame outside = {.image = n->image,
                                       .layout = VK_IMAGE_LAYOUT_GENERAL,
                                       .queue_family = VK_QUEUE_FAMILY_EXTERNAL};
    EACH_OF_2(n, weir_frame_check, n->context, "frame", &outside);
    REFUSED(n, "weir_frame.image", weir_frame_check(n->context, &without));
    ALLOWED(n, weir_frame_check(n->context, &outside) == WEIR_OK);
    ALLOWED(n, !weir_frame_changes_owner(NULL) && !weir_frame_changes_owner(&without) &&
                   weir_frame_changes_owner(&outside));
    weir_cmd_frame_release(NULL, n->cmd, 0, 0);
    weir_cmd_frame_release(&without, n->cmd, 0, 0);
    weir_cmd_frame_release(&outside, VK_NULL_HANDLE, 0, 0);
    weir_cmd_frame_acquire(NULL, n->cmd, 0, 0);
    weir_cmd_frame_acquire(&without, n->cmd, 0, 0);
    weir_cmd_frame_acquire(&outside, VK_NULL_HANDLE, 0, 0);
}

static void test_encoder(struct nulls *n)
{
    const struct weir_encoder_params params = {.like = n->image};
    const struct weir_encode encode = {.source = n->image, .buffer = n->buffer};
    const struct weir_block_copy copy = {.image = n->image};
    const weir_encoder *encoder = n->encoder;
    CREATES(n, weir_encoder_create, weir_encoder, n->context, &params);
    REFUSED(
        n, "like",
        weir_encoder_create(n->context, &(struct weir_encoder_params){0}, &(weir_encoder *){NULL}));
    ALL_ZERO(n, struct weir_encoder_params, weir_encoder_get_params(NULL));
    DESTROYS(n, weir_encoder_destroy, weir_encoder);
    ALLOWED(n, !weir_encoder_reads(NULL, n->image) && !weir_encoder_reads(encoder, NULL));
    ALLOWED(n, weir_encode_size(NULL, &encode) == 0 && weir_encode_size(encoder, NULL) == 0);
    ALLOWED(n, weir_encode_size(encoder, &(struct weir_encode){0}) == 0);
    EACH_OF_3(n, weir_cmd_encode, encoder, "cmd", n->cmd, "encode", &encode);
    REFUSED(n, "weir_encode.source",
            weir_cmd_encode(encoder, n->cmd, &(struct weir_encode){.buffer = n->buffer}));
    REFUSED(n, "weir_encode.buffer",
            weir_cmd_encode(encoder, n->cmd, &(struct weir_encode){.source = n->image}));
    SILENT(n, weir_cmd_copy_blocks(NULL, n->cmd, &encode, &copy));
    REFUSED(n, "cmd", weir_cmd_copy_blocks(encoder, VK_NULL_HANDLE, &encode, &copy));
    REFUSED(n, "encode", weir_cmd_copy_blocks(encoder, n->cmd, NULL, &copy));
    REFUSED(n, "copy", weir_cmd_copy_blocks(encoder, n->cmd, &encode, NULL));
    REFUSED(n, "weir_block_copy.image",
            weir_cmd_copy_blocks(encoder, n->cmd, &encode, &(struct weir_block_copy){0}));
}

static void test_rdo(struct nulls *n)
{
    const struct weir_rdo_params params = {.like = n->image};
    const struct weir_rdo_run run = {.source = n->image, .buffer = n->buffer};
    const weir_rdo *rdo = n->rdo;
    CREATES(n, weir_rdo_create, weir_rdo, n->context, &params);
    REFUSED(n, "like",
            weir_rdo_create(n->context, &(struct weir_rdo_params){0}, &(weir_rdo *){NULL}));
    ALL_ZERO(n, struct weir_rdo_params, weir_rdo_get_params(NULL));
    DESTROYS(n, weir_rdo_destroy, weir_rdo);
    ALL_ZERO(n, struct weir_rdo_result, weir_rdo_get_result(NULL, 8, 8));
    ALLOWED(n, weir_rdo_psnr(NULL, 8) == 100);
    EACH_OF_3(n, weir_cmd_rdo, rdo, "cmd", n->cmd, "run", &run);
    REFUSED(n, "weir_rdo_run.source",
            weir_cmd_rdo(rdo, n->cmd, &(struct weir_rdo_run){.buffer = n->buffer}));
    REFUSED(n, "weir_rdo_run.buffer",
            weir_cmd_rdo(rdo, n->cmd, &(struct weir_rdo_run){.source = n->image}));
}

static void test_snappy(struct nulls *n)
{
    const struct weir_snappy_params params = {.size = 64};
    const struct weir_snappy_run run = {.source = n->buffer, .destination = n->buffer};
    const weir_snappy *snappy = n->snappy;
    CREATES(n, weir_snappy_create, weir_snappy, n->context, &params);
    ALL_ZERO(n, struct weir_snappy_params, weir_snappy_get_params(NULL));
    DESTROYS(n, weir_snappy_destroy, weir_snappy);
    test_expect(!weir_snappy_is_advised(NULL, &params) && !weir_snappy_is_advised(n->context, NULL),
                "NULL is advised");
    EACH_OF_3(n, weir_cmd_snappy, snappy, "cmd", n->cmd, "run", &run);
    REFUSED(n, "weir_snappy_run.source",
            weir_cmd_snappy(snappy, n->cmd, &(struct weir_snappy_run){.destination = n->buffer}));
    REFUSED(n, "weir_snappy_run.destination",
            weir_cmd_snappy(snappy, n->cmd, &(struct weir_snappy_run){.source = n->buffer}));
}

static void test_palette_records(struct nulls *n)
{
    weir_palette *palette = n->palette;
    const struct weir_palette_count count = {.source = n->image};
    const struct weir_palette_start start = {.radius = 0};
    const struct weir_palette_run run = {.source = n->image, .output = n->output};
    EACH_OF_3(n, weir_cmd_palette_count, palette, "cmd", n->cmd, "count", &count);
    REFUSED(n, "weir_palette_count.source",
            weir_cmd_palette_count(palette, n->cmd, &(struct weir_palette_count){.clear = true}));
    EACH_OF_3(n, weir_cmd_palette_start, palette, "cmd", n->cmd, "start", &start);
    SILENT(n, weir_cmd_palette_iterate(NULL, n->cmd, 1));
    REFUSED(n, "cmd", weir_cmd_palette_iterate(palette, VK_NULL_HANDLE, 1));
    EACH_OF_2(n, weir_cmd_palette_finish, palette, "cmd", n->cmd);
    SILENT(n, weir_cmd_palette_map(NULL, n->cmd, n->image, n->output));
    REFUSED(n, "cmd", weir_cmd_palette_map(palette, VK_NULL_HANDLE, n->image, n->output));
    REFUSED(n, "source", weir_cmd_palette_map(palette, n->cmd, NULL, n->output));
    REFUSED(n, "output", weir_cmd_palette_map(palette, n->cmd, n->image, NULL));
    EACH_OF_3(n, weir_cmd_palette, palette, "cmd", n->cmd, "run", &run);
    REFUSED(n, "source",
            weir_cmd_palette(palette, n->cmd, &(struct weir_palette_run){.output = n->output}));
    REFUSED(n, "output",
            weir_cmd_palette(palette, n->cmd, &(struct weir_palette_run){.source = n->image}));
}

static void test_palette(struct nulls *n)
{
    const struct weir_palette_params params = {.like = n->image};
    CREATES(n, weir_palette_create, weir_palette, n->context, &params);
    REFUSED(
        n, "like",
        weir_palette_create(n->context, &(struct weir_palette_params){0}, &(weir_palette *){NULL}));
    ALL_ZERO(n, struct weir_palette_params, weir_palette_get_params(NULL));
    ALL_ZERO(n, struct weir_palette_stats, weir_palette_get_stats(NULL));
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    ALLOWED(n, weir_palette_get_colors(NULL, colors) == 0);
    DESTROYS(n, weir_palette_destroy, weir_palette);
    test_palette_records(n);
}

static void test_pyramid(struct nulls *n)
{
    const struct weir_pyramid_params params = {.format = VK_FORMAT_R8G8B8A8_UNORM};
    const weir_image *const images[] = {n->output};
    const struct weir_pyramid_target_params of_target = {.images = images};
    const struct weir_mips_params of_mips = {0};
    const struct weir_image_params texture = {0};
    CREATES(n, weir_mips_create, weir_mips, n->context, &of_mips);
    ALL_ZERO(n, struct weir_mips_params, weir_mips_get_params(NULL));
    DESTROYS(n, weir_mips_destroy, weir_mips);
    SILENT(n, weir_cmd_generate_mips(NULL, n->cmd, &texture, NULL));
    REFUSED(n, "cmd", weir_cmd_generate_mips(n->mips, VK_NULL_HANDLE, &texture, NULL));
    REFUSED(n, "image", weir_cmd_generate_mips(n->mips, n->cmd, NULL, NULL));
    REFUSED(n, "weir_image_params.image", weir_cmd_generate_mips(n->mips, n->cmd, &texture, NULL));
    CREATES(n, weir_pyramid_create, weir_pyramid, n->context, &params);
    CREATES(n, weir_pyramid_target_create, weir_pyramid_target, n->pyramid, &of_target);
    weir_pyramid_target *out = NULL;
    REFUSED(n, "images[0]",
            weir_pyramid_target_create(n->pyramid, &(struct weir_pyramid_target_params){0}, &out));
    REFUSED(n, "images[0]",
            weir_pyramid_target_create(
                n->pyramid,
                &(struct weir_pyramid_target_params){.images = (const weir_image *[]){NULL}},
                &out));
    ALL_ZERO(n, struct weir_pyramid_params, weir_pyramid_get_params(NULL));
    ALL_ZERO(n, struct weir_pyramid_scope, weir_pyramid_get_scope(NULL));
    ALL_ZERO(n, struct weir_pyramid_target_params, weir_pyramid_target_get_params(NULL));
    ALLOWED(n, weir_pyramid_target_get_num_dispatches(NULL) == 0);
    ALLOWED(n, weir_pyramid_target_get_method(NULL) == WEIR_PYRAMID_AUTO);
    DESTROYS(n, weir_pyramid_destroy, weir_pyramid);
    DESTROYS(n, weir_pyramid_target_destroy, weir_pyramid_target);
    SILENT(n, weir_cmd_pyramid(NULL, n->cmd, NULL));
    REFUSED(n, "cmd", weir_cmd_pyramid(n->target, VK_NULL_HANDLE, NULL));
    ALLOWED(n, weir_cmd_pyramid(n->target, n->cmd, NULL) == WEIR_OK);
}

static void test_preview(struct nulls *n)
{
    const struct weir_preview_params params = {.like = n->image};
    const struct weir_preview_run run = {.commands = 0};
    CREATES(n, weir_preview_create, weir_preview, n->context, &params);
    REFUSED(
        n, "like",
        weir_preview_create(n->context, &(struct weir_preview_params){0}, &(weir_preview *){NULL}));
    ALL_ZERO(n, struct weir_preview_info, weir_preview_get_info(NULL));
    DESTROYS(n, weir_preview_destroy, weir_preview);
    SILENT(n, weir_cmd_preview(NULL, n->cmd, &run));
    REFUSED(n, "cmd", weir_cmd_preview(n->preview, VK_NULL_HANDLE, &run));
    REFUSED(n, "run", weir_cmd_preview(n->preview, n->cmd, NULL));
    REFUSED(n, "weir_preview_run.source", weir_cmd_preview(n->preview, n->cmd, &run));
}

static void test_readback(struct nulls *n)
{
    const struct weir_readback_params params = {.size = 64};
    CREATES(n, weir_readback_create, weir_readback, n->context, &params);
    ALL_ZERO(n, struct weir_readback_params, weir_readback_get_params(NULL));
    DESTROYS(n, weir_readback_destroy, weir_readback);
    weir_readback *readback = n->readback;
    const struct weir_frame frame = {.layout = VK_IMAGE_LAYOUT_GENERAL};
    struct weir_slot slot = {.index = 0};
    struct weir_readback_data data;
    EACH_OF_3(n, weir_readback_begin, readback, "frame", &frame, "slot", &slot);
    REFUSED(n, "weir_frame.image", weir_readback_begin(readback, &frame, &slot));
    ALLOWED(n, !weir_slot_buffer(NULL, &slot) && !weir_slot_buffer(readback, NULL));
    ALLOWED(n, !weir_slot_result(NULL, &slot) && !weir_slot_result(readback, &slot));
    ALLOWED(n, !weir_readback_history(NULL) && !weir_readback_history(readback));
    SILENT(n, weir_readback_submit(NULL, &slot, NULL));
    REFUSED(n, "slot", weir_readback_submit(readback, NULL, NULL));
    SILENT(n, weir_readback_pass(NULL, &frame, NULL));
    REFUSED(n, "frame", weir_readback_pass(readback, NULL, NULL));
    ALLOWED(n, weir_readback_pass(readback, &frame, NULL) == WEIR_OK);
    ALLOWED(n, weir_readback_is_idle(NULL));
    SILENT(n, weir_readback_wait(NULL, 0, 0, &data));
    REFUSED(n, "data", weir_readback_wait(readback, 0, 0, NULL));
    SILENT(n, weir_readback_wait_control(NULL, 0, 0));
    ALLOWED(n, !weir_slot_get_control(NULL, 0).data && !weir_slot_get_control(readback, 0).data);
    weir_readback_release(NULL, 0);
}

static void test_capture(struct nulls *n)
{
    const struct weir_capture_params params = {.like = n->image, .sink = WEIR_SINK_NULL};
    CREATES(n, weir_capture_open, weir_capture, n->context, &params);
    weir_capture *out = NULL;
    REFUSED(
        n, "like",
        weir_capture_open(n->context, &(struct weir_capture_params){.sink = WEIR_SINK_NULL}, &out));
    REFUSED(n, "path",
            weir_capture_open(n->context, &(struct weir_capture_params){.like = n->image}, &out));
    REFUSED(n, "callbacks.packet",
            weir_capture_open(
                n->context,
                &(struct weir_capture_params){.like = n->image, .sink = WEIR_SINK_CALLBACK}, &out));
    ALL_ZERO(n, struct weir_capture_params, weir_capture_get_params(NULL));
    ALL_ZERO(n, struct weir_capture_stats, weir_capture_get_stats(NULL));
    SILENT(n, weir_capture_frame(NULL, &(struct weir_frame){0}, NULL));
    REFUSED(n, "frame", weir_capture_frame(n->capture, NULL, NULL));
    REFUSED(n, "frame->image", weir_capture_frame(n->capture, &(struct weir_frame){0}, NULL));
    SILENT(n, weir_capture_pause(NULL, 0));
    SILENT(n, weir_capture_resume(NULL, 0));
    const uint8_t sample = 0;
    SILENT(n, weir_capture_chapter(NULL, 0, "title"));
    REFUSED(n, "title", weir_capture_chapter(n->capture, 0, NULL));
    SILENT(n, weir_capture_save_replay(NULL, "replay.mov", 0));
    REFUSED(n, "path", weir_capture_save_replay(n->capture, NULL, 0));
    SILENT(n, weir_capture_audio(NULL, 0, &sample, 1, 0));
    REFUSED(n, "samples", weir_capture_audio(n->capture, 0, NULL, 1, 0));
    REFUSED(n, "audio.tracks",
            weir_capture_open(n->context,
                              &(struct weir_capture_params){.like = n->image,
                                                            .sink = WEIR_SINK_NULL,
                                                            .audio = {.num_tracks = 1}},
                              &out));
    struct weir_capture_stats stats;
    ALLOWED(n, weir_capture_close(NULL, NULL) == WEIR_OK);
    ALLOWED(n, weir_capture_close(&out, &stats) == WEIR_OK && stats.received == 0);
    ALLOWED(n, weir_capture_close_at(NULL, 1, NULL) == WEIR_OK);
    ALLOWED(n, weir_capture_close_at(&out, 1, &stats) == WEIR_OK && stats.received == 0);
}

static void release_blocks(void *user, void *owner)
{
    (void)user;
    (void)owner;
}

static void test_blocks(struct nulls *n)
{
    const struct weir_capture_params params = {.sink = WEIR_SINK_NULL};
    const struct weir_blocks_params blocks = {
        .width = 4, .height = 4, .release = release_blocks, .log = n->log};
    const struct weir_blocks_params no_release = {.width = 4, .height = 4, .log = n->log};
    weir_capture *capture = NULL, *out = NULL;
    EACH_OF_3(n, weir_capture_open_blocks, &blocks, "params", &params, "out", &out);
    REFUSED(n, "release", weir_capture_open_blocks(&no_release, &params, &out));
    ALLOWED(n, weir_capture_open_blocks(&blocks, &params, &capture) == WEIR_OK);
    EACH_OF_2(n, weir_capture_blocks, capture, "blocks", &(struct weir_blocks){0});
    ALLOWED(n, weir_capture_close(&capture, NULL) == WEIR_OK);
}

static void test_still(struct nulls *n)
{
    static const uint8_t pixels[3];
    static const float floats[3];
    const struct weir_still still = {.width = 1, .height = 1, .num_channels = 3, .pixels = pixels};
    const struct weir_still_float of_floats = {
        .width = 1, .height = 1, .num_channels = 3, .pixels = floats};
    static const char path[] = "null_test_of_weir.still";
    REFUSED(n, "path", weir_still_write_png(NULL, &still, &n->log));
    REFUSED(n, "still", weir_still_write_png(path, NULL, &n->log));
    REFUSED(n, "pixels", weir_still_write_png(path, &(struct weir_still){.width = 1}, &n->log));
    SILENT(n, weir_still_write_png(path, NULL, NULL));
    REFUSED(n, "path", weir_still_write_pfm(NULL, &of_floats, &n->log));
    REFUSED(n, "still", weir_still_write_pfm(path, NULL, &n->log));
    REFUSED(n, "pixels",
            weir_still_write_pfm(path, &(struct weir_still_float){.width = 1}, &n->log));
    SILENT(n, weir_still_write_pfm(path, NULL, NULL));
    ALLOWED(n, access(path, F_OK) != 0);
}

int main(void)
{
    struct nulls n;
    nulls_init(&n);
    test_pure(&n);
    test_log(&n);
    test_device(&n);
    test_gpu(&n);
    test_context(&n);
    test_frame(&n);
    test_encoder(&n);
    test_rdo(&n);
    test_snappy(&n);
    test_palette(&n);
    test_pyramid(&n);
    test_preview(&n);
    test_readback(&n);
    test_capture(&n);
    test_blocks(&n);
    test_still(&n);
    return nulls_finish(&n);
}
