# SPDX-License-Identifier: MIT
"""conan_steps.py RECIPE EXTRACTED BUILD PACKAGE: the steps of a recipe of Conan 2, with shared libraries, by stand-ins for what
it imports, which do what a recipe sees of https://docs.conan.io/2/reference. EXTRACTED is what its archive has."""
import collections
import hashlib
import os
import runpy
import shutil
import subprocess
import sys
import types
import urllib.request

recipe, extracted, build, package = map(os.path.abspath, sys.argv[1:])


class Component:
    def set_property(self, name, value):
        assert name in ("cmake_target_name", "pkg_config_name") and isinstance(value, str)


class ConanFile:
    def __init__(self):
        assert self.options.keys() == self.default_options.keys()
        self.options = types.SimpleNamespace(**self.default_options)
        self.options.shared, self.options.codecs = True, "hap_q_alpha, bc5_snorm"
        self.source_folder, self.package_folder, self.required = extracted, package, []
        self.cpp_info = types.SimpleNamespace(components=collections.defaultdict(Component))

    def requires(self, reference, transitive_headers=False):
        self.required.append(reference.split("/")[0])


class Generator:
    def __init__(self, conanfile):
        self.cache_variables = {"BUILD_SHARED_LIBS": conanfile.options.shared, "CMAKE_INSTALL_LIBDIR": "lib"}

    def generate(self):
        global variables
        variables = [f"-D{name}={value}" for name, value in self.cache_variables.items()]


class CMake(Generator):
    def configure(self):
        subprocess.run(["cmake", "-S", extracted, "-B", build, *variables], check=True)

    def build(self, target):
        subprocess.run(["cmake", "--build", build, "--target", target], check=True)

    def install(self):
        subprocess.run(["cmake", "--install", build, "--prefix", package], check=True)


def get(conanfile, url, sha256, strip_root):
    with urllib.request.urlopen(url) as archive:
        assert hashlib.sha256(archive.read()).hexdigest() == sha256 and strip_root


def copy(conanfile, pattern, source, destination):
    os.makedirs(destination)
    shutil.copy(os.path.join(source, pattern), destination)


for name, members in {
        "conan": {"ConanFile": ConanFile}, "conan.tools": {}, "conan.tools.gnu": {"PkgConfigDeps": Generator},
        "conan.tools.cmake": {"CMake": CMake, "CMakeDeps": Generator, "CMakeToolchain": Generator, "cmake_layout": None},
        "conan.tools.files": {"copy": copy, "get": get, "rmdir": lambda conanfile, folder: shutil.rmtree(folder)}}.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)
weir = runpy.run_path(recipe)["Weir"]()
for step in weir.requirements, weir.source, weir.generate, weir.build, weir.package, weir.package_info:
    step()
used = set()
for component in weir.cpp_info.components.values():
    assert all(os.path.exists(f"{package}/lib/lib{library}.so") for library in component.libs)
    used.update(component.requires)
assert used - weir.cpp_info.components.keys() == {f"{name}::{name}" for name in weir.required}, used
assert os.path.exists(package + "/licenses/LICENSE") and not os.path.exists(package + "/lib/cmake")
