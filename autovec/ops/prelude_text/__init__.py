"""The source of the helper functions that emitted text carries (see ``autovec.ops.prelude``)."""
