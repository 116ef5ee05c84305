// SPDX-License-Identifier: MIT
// Whether a reply of the process that decodes is one that a decoder gives. A hostile file may have
// taken that process over, so that no reply is believed.
#pragma once

#include <stdbool.h>

#include "capture/weir/decoder/channel.h"

// Texts may lack an end, and get one.
bool reply_is_result(const struct channel_message *reply);
bool reply_is_source(struct channel_message *reply, const struct weir_source_params *params);
bool reply_is_chapters(struct weir_source_chapter *chapters, size_t num);
bool reply_is_take(const struct channel_take *take, int64_t last_ns);
bool reply_is_audio(struct channel_audio *audio);
bool reply_is_block(const struct channel_message *reply, const struct channel_audio *audio);
bool reply_is_picture(struct channel_message *reply, const struct weir_memory_use *memory);
