// SPDX-License-Identifier: MIT
// The blocks of the frame before, which an encoder that is steady reads and replaces.
#include "encode/history.h"

#include "encode/encoder.h"
#include "frame/buffer.h"

enum weir_result weir_encode_check_history(const weir_encoder *encoder,
                                           const struct weir_encode *encode, uint64_t size)
{
    const struct weir_log *log = &encoder->context->log;
    const weir_buffer *history = encode->history;
    if (!encoder->params.steady) {
        return WEIR_OK;
    }
    if (!history) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_encode.history is required: the encoder was made with "
                         "weir_encoder_params.steady");
    }
    WEIR_TRY(weir_buffer_check(history, encoder->context, "weir_encode.history"));
    if (history == encode->buffer) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_encode.history is weir_encode.buffer: it must be a buffer of its "
                         "own");
    }
    if (!weir_buffer_has_room(history, encode->history_offset, size, encoder->codec->block_size)) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_BUFFER_TOO_SMALL,
            "%llu bytes at offset %llu do not fit into a history of %llu bytes, or the offset is "
            "not a multiple of %u",
            (unsigned long long)size, (unsigned long long)encode->history_offset,
            (unsigned long long)history->params.size, encoder->codec->block_size);
    }
    return WEIR_OK;
}
