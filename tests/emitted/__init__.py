"""Emitted texts, kept and reviewed: `python -m tests.emitted --update` writes them anew."""
