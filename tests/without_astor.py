"""A pytest plugin, `-p tests.without_astor`: the tests run as if astor were not installed."""

import sys

sys.modules["astor"] = None  # type: ignore[assignment]
