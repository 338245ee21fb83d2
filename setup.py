"""The part of the build that pyproject.toml cannot say: the C engine."""

import runpy

from setuptools import setup

setup(
    cffi_modules=["nogo/_build.py:ffibuilder"],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
    cmdclass={"build_ext": runpy.run_path("nogo/_build.py")["BuildEngine"]},
)
