import os

import pytest
from hypothesis import HealthCheck, settings

from exactcover.engines.registry import ENGINES

settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


INSTALLED = tuple(name for name, engine in ENGINES.items() if engine.searches)

if "native" in ENGINES:  # also the parts of it that this machine or a small problem would not use
    import exactcover._native as _native
    from exactcover.engines.native import NativeEngine

    for name, variant in {
        "native trunk": NativeEngine(most_dense_options=8),
        **{f"native {instructions}": NativeEngine(instructions=instructions)
           for instructions in _native.instruction_sets[1:]},
    }.items():  # fmt: skip
        variant.name = name
        ENGINES[name] = variant


@pytest.fixture(params=[name for name, engine in ENGINES.items() if engine.searches])
def engine(request: pytest.FixtureRequest) -> str:
    """Every engine in turn; each must find the same set of solutions."""
    return str(request.param)


@pytest.fixture(params=INSTALLED)
def installed_engine(request: pytest.FixtureRequest) -> str:
    """Those that another process has too."""
    return str(request.param)
