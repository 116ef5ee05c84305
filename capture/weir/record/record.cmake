# SPDX-License-Identifier: MIT
# What Linux alone has of the program: weir record, weir play, and the process that decodes.
target_sources(weir-commands PRIVATE
  common/address.c common/layer.c info/layer.c
  decoder/channel.c decoder/client.c decoder/confine.c decoder/replies.c decoder/server.c
  decoder/source.c
  record/connection.c record/control.c record/folder.c record/install.c record/name.c record/program.c record/record.c
  record/recording.c record/report.c record/server.c record/settings.c record/stream.c
  record/audio/feed.c record/audio/ring.c record/live/request.c record/take.c)
target_link_libraries(weir-commands PUBLIC weir-link weir-libav PRIVATE PkgConfig::weir_seccomp)
set(is_sanitized 0) # sanitizers ask for more than a process that decodes may
if(WEIR_SANITIZE)
  set(is_sanitized 1)
endif()
target_compile_definitions(weir-commands PRIVATE WEIR_SANITIZED=${is_sanitized})
# The page of --live.
pkg_check_modules(weir_websockets IMPORTED_TARGET libwebsockets>=4.1)
if(weir_websockets_FOUND)
  set(page ${CMAKE_CURRENT_SOURCE_DIR}/record/live/page.html)
  set(page_bytes ${generated}/capture/weir/record/live/page.inc)
  add_custom_command(OUTPUT ${page_bytes} DEPENDS ${page} record/live/embed.cmake
    COMMAND ${CMAKE_COMMAND} -DINPUT=${page} -DOUTPUT=${page_bytes}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/record/live/embed.cmake VERBATIM)
  target_sources(weir-commands PRIVATE record/live/page.c record/live/serve.c ${page_bytes})
  target_include_directories(weir-commands PRIVATE ${generated})
  target_link_libraries(weir-commands PRIVATE PkgConfig::weir_websockets)
else()
  message(STATUS "No libwebsockets: weir record has no --live")
  target_sources(weir-commands PRIVATE record/live/without.c)
endif()
# Its library is looked for when weir record or weir play wants it, so the program is not linked with it.
pkg_check_modules(weir_pipewire libpipewire-0.3>=0.3.50)
set(audio common/pipewire.c record/audio/links.c record/audio/audio.c)
if(weir_pipewire_FOUND)
  target_sources(weir-commands PRIVATE ${audio})
  target_include_directories(weir-commands SYSTEM PRIVATE ${weir_pipewire_INCLUDE_DIRS})
  # PipeWire's calls are macros of such.
  set_source_files_properties(${audio} PROPERTIES COMPILE_OPTIONS -Wno-gnu-statement-expression)
  target_link_libraries(weir-commands PRIVATE ${CMAKE_DL_LIBS})
else()
  message(STATUS "No libpipewire-0.3: weir record has no sound")
  target_sources(weir-commands PRIVATE record/audio/without.c)
endif()
weir_compile_kernel(${CMAKE_CURRENT_SOURCE_DIR}/play/kernels/show.comp ${generated}/show.inc
                    INCLUDE ${PROJECT_SOURCE_DIR}/shaders/include OPTIONS -O)
target_sources(weir-commands PRIVATE play/play.c play/show.c play/stills.c play/stream.c ${generated}/show.inc)
target_include_directories(weir-commands PRIVATE ${generated})
target_link_libraries(weir-commands PUBLIC weir-play)
pkg_check_modules(weir_glfw IMPORTED_TARGET glfw3)
if(weir_glfw_FOUND AND weir_pipewire_FOUND)
  target_sources(weir-commands PRIVATE play/player.c play/sound.c play/window.c)
  set_source_files_properties(play/sound.c PROPERTIES COMPILE_OPTIONS -Wno-gnu-statement-expression)
  target_link_libraries(weir-commands PRIVATE PkgConfig::weir_glfw)
else()
  message(STATUS "No glfw3 or libpipewire-0.3: weir play has no window")
  target_sources(weir-commands PRIVATE play/no_window.c)
endif()
