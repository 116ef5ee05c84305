# SPDX-License-Identifier: MIT
# weir_compile_kernel(SOURCE OUTPUT [INCLUDE FOLDER...] [OPTIONS OPTION...]): GLSL becomes OUTPUT, the words of an
# initializer in C. An edited include compiles it anew.
find_program(GLSLC glslc REQUIRED)
set(WEIR_KERNELS_FROM "$ENV{WEIR_KERNELS_FROM}" CACHE PATH
    "Another build folder of these sources, whose target weir-kernels was built: its compiled kernels are taken")
function(weir_compile_kernel source output)
  cmake_parse_arguments(ARG "" "" "INCLUDE;OPTIONS" ${ARGN})
  list(TRANSFORM ARG_INCLUDE PREPEND -I)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  set_property(GLOBAL APPEND PROPERTY WEIR_KERNELS ${output})
  if(WEIR_KERNELS_FROM)
    cmake_path(RELATIVE_PATH output BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE place)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E copy ${WEIR_KERNELS_FROM}/${place} ${output}
      DEPENDS ${WEIR_KERNELS_FROM}/${place} VERBATIM)
    return()
  endif()
  cmake_path(GET source FILENAME name)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${GLSLC} --target-env=vulkan1.2 -Werror ${ARG_OPTIONS} ${ARG_INCLUDE}
            -MD -MF ${output}.d -MT ${output} -mfmt=c ${source} -o ${output}
    DEPENDS ${source} DEPFILE ${output}.d
    COMMENT "Compiling ${name}" VERBATIM)
endfunction()
