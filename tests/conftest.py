import os

import pytest
from hypothesis import HealthCheck, settings

from exactcover.engines import ENGINES

settings.register_profile(
    "default", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


INSTALLED = tuple(ENGINES)

if "native" in ENGINES:  # its sparse-set trunk, which only large problems need, on small ones too
    from exactcover.engines.native import NativeEngine

    trunk = NativeEngine(most_dense_options=8)
    trunk.name = "native trunk"
    ENGINES["native trunk"] = trunk


@pytest.fixture(params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> str:
    """Every engine in turn; each must find the same set of solutions."""
    return str(request.param)


@pytest.fixture(params=INSTALLED)
def installed_engine(request: pytest.FixtureRequest) -> str:
    """Those that another process has too."""
    return str(request.param)
