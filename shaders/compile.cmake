# SPDX-License-Identifier: MIT
# weir_compile_kernel(SOURCE OUTPUT [INCLUDE FOLDER...] [OPTIONS OPTION...] [PASSES PASS...]): GLSL becomes OUTPUT. That is
# the words of an initializer in C; with PASSES it is the module in binary, behind these passes of spirv-opt. An edited
# include compiles it anew.
find_program(GLSLC glslc)
find_program(SPIRV_OPT spirv-opt)
if(NOT GLSLC OR NOT SPIRV_OPT)
  message(FATAL_ERROR "Weir compiles its kernels with glslc and spirv-opt (Debian: glslc, spirv-tools; elsewhere: "
                      "docs/building.md). A release's tarball has them compiled.")
endif()
set(WEIR_KERNELS_FROM "$ENV{WEIR_KERNELS_FROM}" CACHE PATH
    "Another build folder of these sources, whose target weir-kernels was built: its compiled kernels are taken")
function(weir_compile_kernel source output)
  cmake_parse_arguments(ARG "" "" "INCLUDE;OPTIONS;PASSES" ${ARGN})
  list(TRANSFORM ARG_INCLUDE PREPEND -I)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  set_property(GLOBAL APPEND PROPERTY WEIR_KERNELS ${output})
  if(WEIR_KERNELS_FROM)
    cmake_path(RELATIVE_PATH output BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE place)
    add_custom_command(
      OUTPUT ${output}
      COMMAND cp ${WEIR_KERNELS_FROM}/${place} ${output} # which starts in a tenth of CMake's time
      DEPENDS ${WEIR_KERNELS_FROM}/${place} VERBATIM)
    return()
  endif()
  cmake_path(GET output FILENAME name)
  set(compile ${GLSLC} --target-env=vulkan1.2 -Werror ${ARG_OPTIONS} ${ARG_INCLUDE} -MD -MF ${output}.d -MT ${output} ${source})
  if(ARG_PASSES)
    set(commands COMMAND ${compile} -o ${output}
                 COMMAND ${SPIRV_OPT} --target-env=vulkan1.2 ${ARG_PASSES} ${output} -o ${output})
  else()
    set(commands COMMAND ${compile} -mfmt=c -o ${output})
  endif()
  add_custom_command(
    OUTPUT ${output}
    ${commands}
    DEPENDS ${source} DEPFILE ${output}.d
    COMMENT "Compiling ${name}" VERBATIM)
endfunction()
