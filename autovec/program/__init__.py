"""The region program: values with facts, built from the user's tree by abstract interpretation."""

from __future__ import annotations

from autovec.program import (
    atoms as atoms,
)
from autovec.program import (
    attempts as attempts,
)
from autovec.program import (
    builtin_calls as builtin_calls,
)
from autovec.program import (
    loops as loops,
)
from autovec.program import (
    operators as operators,
)
from autovec.program import (
    statements as statements,
)
