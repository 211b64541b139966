"""Compile every ``src/**/*.pyx`` for a wheel; without a compiler the wheel is pure Python.

The environment variable ``RDEP_BUILD`` says what may happen: ``compiled`` makes a failure fatal,
``pure`` compiles nothing; without it, what cannot be compiled is left out, and a warning says so.
"""

import os
import shutil
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Sums must be those of NumPy's form on every machine: no fused multiply-add, no -ffast-math.
FLAGS = ["-O3", "-ffp-contract=off"]


class CompileSources(BuildHookInterface):
    def initialize(self, version, build_data):
        wanted = os.environ.get("RDEP_BUILD", "")
        if wanted not in ("", "compiled", "pure"):
            raise ValueError(f"RDEP_BUILD is {wanted!r}: say compiled or pure, or leave it unset")
        source = Path(self.root, "src")
        sources = sorted(source.rglob("*.pyx"))
        if version == "editable":  # what an earlier build left there is not of this source
            for path in sources:
                path.with_suffix(sysconfig.get_config_var("EXT_SUFFIX")).unlink(missing_ok=True)
        if wanted == "pure" or not sources:
            self.app.display_info("Nothing is compiled: a pure Python installation.")
            return
        self.folder = TemporaryDirectory(prefix="rdep-build-")
        try:
            extensions = compiled(sources, source, Path(self.folder.name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # setuptools ends the process where it finds no compiler
            if wanted == "compiled":
                raise
            self.app.display_warning(
                f"{type(error).__name__}: {error}\nNothing is compiled: a pure Python installation,"
                " slower and otherwise the same. CC names the C compiler, which did not work."
            )
            return
        build_data.update(pure_python=False, infer_tag=True)
        for name, path in extensions.items():
            if version == "editable":
                shutil.copy2(path, source / name)
            else:
                build_data["force_include"][str(path)] = name

    def finalize(self, version, build_data, artifact_path):
        if hasattr(self, "folder"):
            self.folder.cleanup()


def compiled(sources, root, folder):
    """Extension modules of Cython sources below ``root``, by their paths relative to it."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    class Build(build_ext):
        def build_extensions(self):
            if self.compiler.compiler_type != "msvc":  # its default is exact
                for extension in self.extensions:
                    extension.extra_compile_args += FLAGS
            super().build_extensions()

    modules = [
        Extension(".".join(path.relative_to(root).with_suffix("").parts), [str(path)])
        for path in sources
    ]
    modules = cythonize(modules, build_dir=str(folder), language_level=3, quiet=True, force=True)
    build = Build(Distribution({"name": "rdep", "ext_modules": modules}))
    build.build_lib, build.build_temp = str(folder / "lib"), str(folder / "temp")
    build.ensure_finalized()
    build.run()
    built = [Path(path) for path in build.get_outputs()]
    return {path.relative_to(folder / "lib").as_posix(): path for path in built}
