// SPDX-License-Identifier: MIT
// Names that were renamed in version 1 of the API. A program that uses an old name does not
// compile, and the error names the new one. docs/api-changes/1.md has the whole table.
#ifndef WEIR_RENAMED_H
#define WEIR_RENAMED_H

#define WEIR_PRAGMA_(x) _Pragma(#x)
#define WEIR_ERROR_(text) WEIR_PRAGMA_(GCC error text)
#define WEIR_TEXT_(...) #__VA_ARGS__
#define WEIR_RENAMED(old, new)                                                                     \
    WEIR_ERROR_(WEIR_TEXT_(old was renamed to new with version 1 of the API))

#define weir_level WEIR_RENAMED(weir_level, weir_effort)
#define WEIR_LEVEL_DEFAULT WEIR_RENAMED(WEIR_LEVEL_DEFAULT, WEIR_EFFORT_DEFAULT)
#define WEIR_LEVEL_FAST WEIR_RENAMED(WEIR_LEVEL_FAST, WEIR_EFFORT_FAST)
#define WEIR_LEVEL_HIGH WEIR_RENAMED(WEIR_LEVEL_HIGH, WEIR_EFFORT_HIGH)
#define WEIR_LEVEL_EXHAUSTIVE WEIR_RENAMED(WEIR_LEVEL_EXHAUSTIVE, WEIR_EFFORT_EXHAUSTIVE)
#define weir_log_level WEIR_RENAMED(weir_log_level, weir_log_severity)
#define WEIR_LOG_NULL_ARGUMENT WEIR_RENAMED(WEIR_LOG_NULL_ARGUMENT, WEIR_LOG_CODE_NULL_ARGUMENT)
#define WEIR_LOG_OUT_OF_RANGE WEIR_RENAMED(WEIR_LOG_OUT_OF_RANGE, WEIR_LOG_CODE_OUT_OF_RANGE)
#define WEIR_LOG_UNKNOWN_VALUE WEIR_RENAMED(WEIR_LOG_UNKNOWN_VALUE, WEIR_LOG_CODE_UNKNOWN_VALUE)
#define WEIR_LOG_OUT_OF_MEMORY WEIR_RENAMED(WEIR_LOG_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY)
#define WEIR_LOG_VULKAN_ERROR WEIR_RENAMED(WEIR_LOG_VULKAN_ERROR, WEIR_LOG_CODE_VULKAN_ERROR)
#define WEIR_LOG_VULKAN_VERSION WEIR_RENAMED(WEIR_LOG_VULKAN_VERSION, WEIR_LOG_CODE_VULKAN_VERSION)
#define WEIR_LOG_MISSING_FUNCTION                                                                  \
    WEIR_RENAMED(WEIR_LOG_MISSING_FUNCTION, WEIR_LOG_CODE_MISSING_FUNCTION)
#define WEIR_LOG_MISSING_FEATURE                                                                   \
    WEIR_RENAMED(WEIR_LOG_MISSING_FEATURE, WEIR_LOG_CODE_MISSING_FEATURE)
#define WEIR_LOG_MISSING_USAGE WEIR_RENAMED(WEIR_LOG_MISSING_USAGE, WEIR_LOG_CODE_MISSING_USAGE)
#define WEIR_LOG_MISSING_FORMAT WEIR_RENAMED(WEIR_LOG_MISSING_FORMAT, WEIR_LOG_CODE_MISSING_FORMAT)
#define WEIR_LOG_MISSING_QUEUE WEIR_RENAMED(WEIR_LOG_MISSING_QUEUE, WEIR_LOG_CODE_MISSING_QUEUE)
#define WEIR_LOG_NO_DEVICE WEIR_RENAMED(WEIR_LOG_NO_DEVICE, WEIR_LOG_CODE_NO_DEVICE)
#define WEIR_LOG_DEVICE_LOST WEIR_RENAMED(WEIR_LOG_DEVICE_LOST, WEIR_LOG_CODE_DEVICE_LOST)
#define WEIR_LOG_DEVICE_LIMIT WEIR_RENAMED(WEIR_LOG_DEVICE_LIMIT, WEIR_LOG_CODE_DEVICE_LIMIT)
#define WEIR_LOG_DEVICE_CHOSEN WEIR_RENAMED(WEIR_LOG_DEVICE_CHOSEN, WEIR_LOG_CODE_DEVICE_CHOSEN)
#define WEIR_LOG_VALIDATION WEIR_RENAMED(WEIR_LOG_VALIDATION, WEIR_LOG_CODE_VALIDATION)
#define WEIR_LOG_FALLBACK WEIR_RENAMED(WEIR_LOG_FALLBACK, WEIR_LOG_CODE_FALLBACK)
#define WEIR_LOG_SLOW_DEVICE WEIR_RENAMED(WEIR_LOG_SLOW_DEVICE, WEIR_LOG_CODE_SLOW_DEVICE)
#define WEIR_LOG_BUFFER_TOO_SMALL                                                                  \
    WEIR_RENAMED(WEIR_LOG_BUFFER_TOO_SMALL, WEIR_LOG_CODE_BUFFER_TOO_SMALL)
#define WEIR_LOG_FORMAT_MISMATCH                                                                   \
    WEIR_RENAMED(WEIR_LOG_FORMAT_MISMATCH, WEIR_LOG_CODE_FORMAT_MISMATCH)
#define WEIR_LOG_FRAME_DROPPED WEIR_RENAMED(WEIR_LOG_FRAME_DROPPED, WEIR_LOG_CODE_FRAME_DROPPED)
#define WEIR_LOG_TIME_NOT_INCREASING                                                               \
    WEIR_RENAMED(WEIR_LOG_TIME_NOT_INCREASING, WEIR_LOG_CODE_TIME_NOT_INCREASING)
#define WEIR_LOG_TIME_GAP WEIR_RENAMED(WEIR_LOG_TIME_GAP, WEIR_LOG_CODE_TIME_GAP)
#define WEIR_LOG_FRAME_SIZE WEIR_RENAMED(WEIR_LOG_FRAME_SIZE, WEIR_LOG_CODE_FRAME_SIZE)
#define WEIR_LOG_OPEN_FAILED WEIR_RENAMED(WEIR_LOG_OPEN_FAILED, WEIR_LOG_CODE_OPEN_FAILED)
#define WEIR_LOG_WRITE_FAILED WEIR_RENAMED(WEIR_LOG_WRITE_FAILED, WEIR_LOG_CODE_WRITE_FAILED)
#define WEIR_LOG_DISK_FULL WEIR_RENAMED(WEIR_LOG_DISK_FULL, WEIR_LOG_CODE_DISK_FULL)
#define WEIR_LOG_READ_FAILED WEIR_RENAMED(WEIR_LOG_READ_FAILED, WEIR_LOG_CODE_READ_FAILED)
#define WEIR_LOG_NOT_A_PICTURE WEIR_RENAMED(WEIR_LOG_NOT_A_PICTURE, WEIR_LOG_CODE_NOT_A_PICTURE)
#define WEIR_LOG_MUXER_FAILED WEIR_RENAMED(WEIR_LOG_MUXER_FAILED, WEIR_LOG_CODE_MUXER_FAILED)
#define WEIR_LOG_PLAYER_LIMIT WEIR_RENAMED(WEIR_LOG_PLAYER_LIMIT, WEIR_LOG_CODE_PLAYER_LIMIT)
#define WEIR_LOG_NO_FRAMES WEIR_RENAMED(WEIR_LOG_NO_FRAMES, WEIR_LOG_CODE_NO_FRAMES)
#define WEIR_LOG_NO_INDEX WEIR_RENAMED(WEIR_LOG_NO_INDEX, WEIR_LOG_CODE_NO_INDEX)
#define weir_result_data WEIR_RENAMED(weir_result_data, weir_readback_data)
#define weir_slot_target WEIR_RENAMED(weir_slot_target, weir_slot_buffer)
#define weir_compressed_image WEIR_RENAMED(weir_compressed_image, weir_block_copy)
#define weir_context_queue WEIR_RENAMED(weir_context_queue, weir_context_get_queue)
#define weir_context_requirements WEIR_RENAMED(weir_context_requirements, weir_requirement_list)
#define weir_device_surface WEIR_RENAMED(weir_device_surface, weir_device_get_surface)
#define weir_device_num_validation_messages                                                        \
    WEIR_RENAMED(weir_device_num_validation_messages, weir_device_get_num_messages)
#define weir_pyramid_formats WEIR_RENAMED(weir_pyramid_formats, weir_pyramid_format_list)
#define weir_pyramid_get_format WEIR_RENAMED(weir_pyramid_get_format, weir_pyramid_format_get_info)
#define weir_pyramid_format WEIR_RENAMED(weir_pyramid_format, weir_pyramid_format_info)
#define weir_pyramid_method_name                                                                   \
    WEIR_RENAMED(weir_pyramid_method_name, weir_pyramid_method_get_info)
#define weir_pyramid_method_description                                                            \
    WEIR_RENAMED(weir_pyramid_method_description, weir_pyramid_method_get_info)
#define weir_pyramid_reduction_name                                                                \
    WEIR_RENAMED(weir_pyramid_reduction_name, weir_pyramid_reduction_get_info)
#define weir_pyramid_reduction_description                                                         \
    WEIR_RENAMED(weir_pyramid_reduction_description, weir_pyramid_reduction_get_info)
#define WEIR_PYRAMID_NUM_METHODS WEIR_RENAMED(WEIR_PYRAMID_NUM_METHODS, weir_pyramid_method_list)
#define WEIR_PYRAMID_NUM_REDUCTIONS                                                                \
    WEIR_RENAMED(WEIR_PYRAMID_NUM_REDUCTIONS, weir_pyramid_reduction_list)
#define weir_pyramid_target_num_dispatches                                                         \
    WEIR_RENAMED(weir_pyramid_target_num_dispatches, weir_pyramid_target_get_num_dispatches)
#define WEIR_LOG_DEBUG WEIR_RENAMED(WEIR_LOG_DEBUG, WEIR_LOG_INFO)
#define weir_palette_frame WEIR_RENAMED(weir_palette_frame, weir_palette_run)
#define WEIR_PALETTE_WEIGHT_PALETTE                                                                \
    WEIR_RENAMED(WEIR_PALETTE_WEIGHT_PALETTE, WEIR_PALETTE_WEIGHT_EQUAL)
#define weir_palette_transfer WEIR_RENAMED(weir_palette_transfer, weir_palette_light)
#define WEIR_PALETTE_TRANSFER_RAW WEIR_RENAMED(WEIR_PALETTE_TRANSFER_RAW, WEIR_PALETTE_LIGHT_RAW)
#define WEIR_PALETTE_TRANSFER_SRGB WEIR_RENAMED(WEIR_PALETTE_TRANSFER_SRGB, WEIR_PALETTE_LIGHT_SRGB)
#define weir_palette_target WEIR_RENAMED(weir_palette_target, weir_image)
#define weir_palette_target_params WEIR_RENAMED(weir_palette_target_params, weir_image_params)
#define weir_palette_target_create WEIR_RENAMED(weir_palette_target_create, weir_image_create)
#define weir_palette_target_destroy WEIR_RENAMED(weir_palette_target_destroy, weir_image_destroy)
#define WEIR_NUM_DROP_REASONS WEIR_RENAMED(WEIR_NUM_DROP_REASONS, WEIR_MAX_DROP_REASONS)

#endif
