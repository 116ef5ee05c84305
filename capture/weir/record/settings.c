// SPDX-License-Identifier: MIT
// The settings of a recording: options of the command, and what layers and captures get of them.
#include "capture/weir/record/record.h"

#include <vulkan/vulkan_core.h>

#include "capture/weir/common/shared_options.h"
#include "capture/weir/record/live/page.h"

static enum cli_status check(const struct record_options *options,
                             const struct weir_movie_codec_info *codec)
{
    if (options->steady && !weir_codec_get_info(codec->textures[0])->has_steady) {
        return cli_usage("--steady", "this codec does not have it; use --codec hap, hap_alpha, "
                                     "hap_q, hap_q_alpha or hap_alpha_only");
    }
    if (options->constant_rate && options->rate.num == 0) {
        return cli_usage("--constant-rate", "it goes with --fps, which says the rate");
    }
    if (options->constant_rate && options->rate.num < options->rate.den) {
        return cli_usage("--constant-rate", "it needs one frame a second or more");
    }
    if (options->resize != WEIR_RESIZE_NEW && options->level > 0) {
        return cli_usage("--on-resize", "fit and pad do not go with --size");
    }
    if (options->segment_s > 0 && options->segment_bytes > 0) {
        return cli_usage("--segment-size", "--segment ends segments too; leave out one");
    }
    if (options->output && cli_address_is(options->output) &&
        (options->segment_s > 0 || options->segment_bytes > 0 || options->sidecar)) {
        return cli_usage("--output", "an address takes neither segments nor a sidecar; send the "
                                     "movie there by --also");
    }
    char address[256], port[8];
    if (options->live && !record_page_split(options->live, address, port)) {
        return cli_usage("--live", "it takes [ADDRESS:]PORT, such as 8000 or 0.0.0.0:8000");
    }
    if (options->audio > RECORD_AUDIO_NONE && !record_audio_is_built()) {
        return cli_usage("--sound", "this weir was built without PipeWire, and records none");
    }
    return CLI_DONE;
}

static uint64_t ns_of(double seconds)
{
    return (uint64_t)(seconds * 1e9 + 0.5);
}

static struct link_setup make_setup(const struct record_options *options, bool is_stream,
                                    const struct weir_movie_codec_info *codec)
{
    struct link_setup setup = {
        .version = LINK_VERSION,
        .num_textures = codec->num_textures,
        .effort = (uint32_t)cli_movie_efforts[options->effort],
        .decoder = (uint32_t)options->decoder,
        .steady = options->steady,
        .no_dither = options->no_dither,
        .policy = (uint32_t)options->policy,
        .num_slots = (uint32_t)options->slots,
        .is_linear = codec->is_linear,
        .every = (uint32_t)options->every,
        .level = (uint32_t)options->level,
        .preview = options->live ? RECORD_PAGE_SIDE : 0,
        // A stream has one size.
        .resize = is_stream && options->resize == WEIR_RESIZE_NEW && options->level == 0
                      ? WEIR_RESIZE_FIT
                      : (uint32_t)options->resize,
    };
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        setup.codecs[i] = (uint32_t)codec->textures[i];
    }
    return setup;
}

static struct weir_capture_params make_capture(const struct record_options *options, bool is_stream,
                                               const struct weir_movie_codec_info *codec)
{
    struct weir_capture_params params = {
        .codec = codec->codec,
        .rate = {.compression = (enum weir_compression)options->compression,
                 .num_chunks = options->compression == WEIR_COMPRESSION_SNAPPY ? WEIR_CHUNKS_AUTO
                                                                               : 0},
        // The layer drops what has no slot. The capture has as many as the layer, and waits only
        // where a window was resized and both swapchains have frames on their way.
        .policy = WEIR_POLICY_WAIT,
        .num_slots = (uint32_t)options->slots,
        .segments = {.enable = !is_stream,
                     .length_ms = (uint32_t)(options->segment_s * 1000 + 0.5),
                     .max_bytes = options->segment_bytes},
        .movie = {.sync_ms = cli_sync_ms(options->sync_s), .sidecar = options->sidecar},
        .replay = {.length_ms = (uint32_t)(options->replay_s * 1000 + 0.5)},
    };
    if (options->constant_rate) {
        params.timing.constant_rate = true;
        params.timing.frame_rate = options->rate;
    } else {
        params.timing.max_rate = options->rate;
    }
    return params;
}

// Get when a recording ends, since its first frame; 0: it does not. At a constant rate --frames
// does that, half a frame early, as a frame of then falls on the next point.
static uint64_t duration_of(const struct record_options *options)
{
    const uint64_t duration_ns = ns_of(options->duration);
    const double frames_ns = ((double)options->frames - 0.5) * 1e9 * options->rate.den /
                             (options->constant_rate ? options->rate.num : 1);
    const bool has_frames = options->constant_rate && options->frames > 0 && frames_ns < 1e18 &&
                            (duration_ns == 0 || frames_ns < (double)duration_ns);
    return has_frames ? (uint64_t)frames_ns : duration_ns;
}

enum cli_status record_settings_make(const struct record_options *options,
                                     struct record_settings *settings)
{
    const struct weir_movie_codec_info *codec = cli_movie_codec(options->codec);
    struct cli_receiver receiver;
    enum cli_status status = check(options, codec);
    if (status == CLI_DONE) {
        status = cli_receiver_choose(&receiver, options->output, options->also, options->format);
    }
    if (status != CLI_DONE) {
        return status;
    }
    *settings = (struct record_settings){
        .receiver = receiver,
        .window = options->window == 0 && receiver.address ? 1 : options->window,
        .setup = make_setup(options, receiver.is_all, codec),
        .capture = make_capture(options, receiver.is_all, codec),
        .after_ns = ns_of(options->after),
        .duration_ns = duration_of(options),
        .options = options,
    };
    return CLI_DONE;
}

// Those of weir_encoder_params.like that swapchains have.
static bool is_read(uint32_t format)
{
    static const VkFormat formats[] = {
        VK_FORMAT_R8G8B8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_UNORM,           VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_A8B8G8R8_UNORM_PACK32,    VK_FORMAT_A8B8G8R8_SRGB_PACK32,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_UNORM,
        VK_FORMAT_R16G16B16A16_SFLOAT,
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if ((uint32_t)formats[i] == format) {
            return true;
        }
    }
    return false;
}

const char *record_settings_refuse(const struct record_settings *settings,
                                   const struct link_stream *stream)
{
    const bool is_linear = stream->color_space == VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
    if (stream->color_space == VK_COLOR_SPACE_HDR10_ST2084_EXT ||
        stream->color_space == VK_COLOR_SPACE_HDR10_HLG_EXT) {
        return "its colours are HDR10 or HLG, which no HAP movie holds; turn HDR off in it";
    }
    if (!is_linear && stream->color_space != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
        return "its color space is neither SRGB_NONLINEAR nor EXTENDED_SRGB_LINEAR";
    }
    if (!is_read(stream->format)) {
        return "no encoder reads images of its format";
    }
    if (settings->setup.is_linear &&
        (!is_linear || stream->format != VK_FORMAT_R16G16B16A16_SFLOAT)) {
        return "hap_hdr takes linear light in half floats only, and its images are others; choose "
               "another --codec";
    }
    return NULL;
}
