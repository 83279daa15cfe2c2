"""Files on disk: which there are, and how several of them are replaced together."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

#: folders that hold no source of the project's own
SKIPPED = frozenset({"__pycache__", "build", "dist", "node_modules", "site-packages", "venv"})


class DiskError(Exception):
    """A file that cannot be read or written, and why."""

    def __init__(self, path: str | os.PathLike[str], why: str) -> None:
        super().__init__(f"{os.fspath(path)}: {why}")


@dataclass(frozen=True)
class Output:
    """New bytes for a file; `old` are those that it must still hold, None for a new file."""

    path: Path
    new: bytes
    old: bytes | None = None


def sources(paths: Iterable[str]) -> Iterator[str]:
    """The files that are named, and the Python files of the folders that are, each once, in order.

    Hidden folders, virtual environments and what is installed in them are passed over, and so are
    symbolic links within a folder. Raises DiskError.
    """
    seen: set[str] = set()
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            found: Iterable[str] = [path]
        else:
            found = _python_files(path)
        for name in found:
            key = name if name == "-" else os.path.abspath(name)
            if key not in seen:
                seen.add(key)
                yield name


def _python_files(folder: str) -> Iterator[str]:
    def failed(error: OSError) -> None:
        raise DiskError(error.filename or folder, error.strerror or str(error))

    for root, folders, files in os.walk(folder, onerror=failed):
        folders[:] = sorted(
            name
            for name in folders
            if name[0] != "."
            and name not in SKIPPED
            and not os.path.exists(os.path.join(root, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            path = os.path.join(root, name)
            if name.endswith(".py") and not os.path.islink(path):
                yield path


def read(path: str) -> bytes:
    """A file's bytes. Raises DiskError."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise DiskError(path, error.strerror or str(error)) from None


def check_writable(path: Path) -> None:
    """Refuse what is not to be replaced: a link, a read-only file, what is no file.

    The permissions themselves are looked at: they mean no to an administrator, too.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise DiskError(path, error.strerror or str(error)) from None
    if stat.S_ISLNK(mode):
        raise DiskError(path, "it is a symbolic link, which is not followed: name the file itself")
    if not stat.S_ISREG(mode):
        raise DiskError(path, "it is not a file")
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise DiskError(path, "it is read-only")


def write_all(outputs: list[Output]) -> None:
    """Replace all these files, or none: each is complete beside its place before the first moves.

    Each takes its place in one step and keeps its mode. Raises DiskError.
    """
    prepared: list[tuple[Output, str]] = []
    done: list[Output] = []
    try:
        for output in outputs:
            check_writable(output.path)
            prepared.append((output, _beside(output)))
        for output, temporary in prepared:
            if output.old is not None and read(str(output.path)) != output.old:
                raise DiskError(output.path, "it changed while it was being read")
            try:
                os.replace(temporary, output.path)
            except OSError as error:
                raise DiskError(output.path, error.strerror or str(error)) from None
            done.append(output)
    except DiskError:
        for output in done:
            _restore(output)
        raise
    finally:
        for _, temporary in prepared:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _beside(output: Output) -> str:
    """The new bytes in a file of their own, in the folder where they are wanted."""
    path = output.path
    temporary = ""
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else _default_mode()
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with open(handle, "wb") as file:
            file.write(output.new)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise DiskError(path, error.strerror or str(error)) from None
    return temporary


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _restore(output: Output) -> None:
    with contextlib.suppress(OSError, DiskError):
        if output.old is None:
            output.path.unlink()
        else:
            os.replace(_beside(Output(output.path, output.old)), output.path)
