"""The part of the build that pyproject.toml cannot say: the C functions."""

import runpy

from setuptools import setup

modules = runpy.run_path("native_build.py")["MODULES"]
setup(cffi_modules=[f"native_build.py:{name}" for name in modules])
