# SPDX-License-Identifier: MIT
# The libraries as a port of vcpkg. ./dev recipes fills in what stands between @.
vcpkg_download_distfile(archive URLS "@url@" FILENAME "weir-@version@.tar.xz" SHA512 @sha512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS -DWEIR_PROGRAM=OFF -DWEIR_SAMPLES=OFF -DWEIR_TESTS=OFF -DWEIR_WERROR=OFF -DWEIR_PKGCONFIG_RPATH=OFF
          "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/weir)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
