# SPDX-License-Identifier: MIT
# cmake -DPORT=FOLDER -DCURRENT_PACKAGES_DIR=FOLDER -DEXTRACTED=FOLDER -P vcpkg.cmake: the steps of a port of vcpkg, for one
# configuration, by functions that take the arguments of https://learn.microsoft.com/vcpkg/maintainers/functions and do what a
# port sees of them. EXTRACTED is what its archive has, of which ccache knows the objects.
cmake_minimum_required(VERSION 3.25)
set(work ${CURRENT_PACKAGES_DIR}.work)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile out)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FILENAME;SHA512" "URLS")
  file(DOWNLOAD ${ARG_URLS} ${work}/${ARG_FILENAME} EXPECTED_HASH SHA512=${ARG_SHA512})
  set(${out} ${work}/${ARG_FILENAME} PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ARCHIVE" "")
  set(${out} ${EXTRACTED} PARENT_SCOPE)
endfunction()

function(vcpkg_find_acquire_program name)
  find_program(PKGCONFIG pkg-config REQUIRED)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "SOURCE_PATH" "OPTIONS")
  run(${CMAKE_COMMAND} -S ${ARG_SOURCE_PATH} -B ${work}/build -G Ninja -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF
      -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib "-DWEIR_CODECS=hap_q_alpha, bc5_snorm" ${ARG_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${work}/build --target install)
endfunction()

# It comes to lie a folder less deep, beside what is there.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "CONFIG_PATH" "")
  file(COPY ${CURRENT_PACKAGES_DIR}/${ARG_CONFIG_PATH}/ DESTINATION ${CURRENT_PACKAGES_DIR}/share/weir)
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/lib/cmake)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/share/weir/*.cmake)
  foreach(file ${files})
    file(READ ${file} text)
    string(REPLACE "_DIR}/../../../" "_DIR}/../../" text "${text}")
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)"
                   "set(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\")" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" "FILE_LIST")
  file(COPY_FILE ${ARG_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/weir/copyright)
endfunction()

include(${PORT}/portfile.cmake)
