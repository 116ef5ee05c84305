# SPDX-License-Identifier: MIT
# Packages of Debian, by `cpack -G DEB` (./dev package): libweir2, libweir-device2 and libweir-capture2 (shared
# libraries, by the version of the API), libweir-dev, and weir with the program.
get_property(libraries GLOBAL PROPERTY WEIR_INSTALLED_LIBRARIES)
set(DEBFULLNAME "$ENV{DEBFULLNAME}")
set(DEBEMAIL "$ENV{DEBEMAIL}")
if(DEBFULLNAME STREQUAL "")
  set(DEBFULLNAME "The Weir authors")
endif()
if(DEBEMAIL STREQUAL "")
  set(DEBEMAIL "weir@users.noreply.invalid")
endif()

set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VENDOR "The Weir authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
# Packages of two releases of Debian differ, and a plus sign survives where files are uploaded: 0.1.0+deb12.
cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
string(REPLACE debian deb distribution "${system_ID}${system_VERSION_ID}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}+${distribution})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${DEBFULLNAME} <${DEBEMAIL}>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# In each package. Native versions, which have no part after a dash, have changelog.gz.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX REPLACE "^MIT License\n\nCopyright \\(c\\) ([^\n]*)\n\n" "" licence "${licence}")
string(STRIP "${licence}" licence)
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
configure_file(copyright.in copyright @ONLY)
set(ENV{SOURCE_DATE_EPOCH} ${WEIR_DATE})
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(changelog.in changelog @ONLY)
execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog
                OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)

# debian_package(COMPONENT NAME SECTION DESCRIPTION): the package of a component. `key` is its part of variable names.
macro(debian_package component name section description)
  string(TOUPPER ${component} key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${description}")
  foreach(file copyright changelog.gz)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
            COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
endmacro()

set(what "Weir is a streaming encoder for rendered frames: GPU kernels make mip pyramids,\nblock-compressed textures and HAP movies of images that a renderer has.")
foreach(library ${libraries})
  set(package lib${library}${WEIR_API_VERSION})
  debian_package(${library} ${package} libs "shared library ${library}, for rendered frames\n${what}")
  if(NOT library STREQUAL weir)
    set(CPACK_COMPONENT_${key}_DEPENDS weir)
  endif()
  # What others that link it must depend on, and that the cache of the loader is made anew.
  set(control ${CMAKE_CURRENT_BINARY_DIR}/${package})
  file(WRITE ${control}/shlibs "lib${library} ${WEIR_API_VERSION} ${package} (>= ${PROJECT_VERSION})\n")
  file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
endforeach()
debian_package(dev libweir-dev libdevel "headers and static libraries of Weir, for rendered frames\n${what}")
set(CPACK_COMPONENT_DEV_DEPENDS ${libraries})
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libvulkan-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
if(TARGET weir-cli)
  # What the static library needs.
  set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libpng-dev")
  debian_package(tools weir video "encodes pictures and movies on the GPU, as HAP and textures\n${what}")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "libpipewire-0.3-0t64 | libpipewire-0.3-0") # sound of weir record
endif()
include(CPack)
