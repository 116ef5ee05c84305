# SPDX-License-Identifier: MIT
# The libraries as a package of Conan 2. ./dev recipes fills in what stands between @.
from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir
from conan.tools.gnu import PkgConfigDeps


class Weir(ConanFile):
    name, version, license = "weir", "@version@", "MIT"
    description = "Streaming encoder for rendered frames on the host's Vulkan device"
    package_type, languages = "library", "C"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "codecs": ["ANY"]}
    default_options = {"shared": False, "codecs": ""}  # codecs: WEIR_CODECS of CMake

    def layout(self):
        cmake_layout(self, src_folder="source")

    def requirements(self):
        self.requires("vulkan-headers/[>=1.3.204 <2]", transitive_headers=True)
        self.requires("vulkan-loader/[>=1.3.204 <2]")
        self.requires("libpng/[>=1.6 <2]")

    def source(self):
        get(self, "@url@", sha256="@sha256@", strip_root=True)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for name in "PROGRAM", "SAMPLES", "TESTS", "WERROR", "PKGCONFIG_RPATH":
            toolchain.cache_variables["WEIR_" + name] = False
        toolchain.cache_variables["WEIR_CODECS"] = str(self.options.codecs)
        toolchain.generate()

    def build(self):
        CMake(self).configure()
        CMake(self).build(target="weir-installed")

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, self.package_folder + "/licenses")
        for folder in "lib/cmake", "lib/pkgconfig", "share/doc":  # CMakeDeps and PkgConfigDeps make their own
            rmdir(self, f"{self.package_folder}/{folder}")

    def package_info(self):
        for part, requires in {"weir": ["vulkan-headers::vulkan-headers"], "device": ["weir", "vulkan-loader::vulkan-loader"],
                               "capture": ["weir", "libpng::libpng"]}.items():
            component = self.cpp_info.components[part]
            component.libs = ["weir" if part == "weir" else "weir-" + part]
            component.requires = requires
            component.system_libs = ["m", "pthread"]
            component.set_property("cmake_target_name", "weir::" + part)
            component.set_property("pkg_config_name", component.libs[0])
