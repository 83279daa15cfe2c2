"""Lambdas, private names of classes, and files whose code must never run, rewritten."""

from tests.cli_tools import load, same, written

X = [-2.0, -0.5, 0.0, 0.5, 3.0]


def test_lambdas_by_name():
    source = "import os\nscale = lambda x, k=2.0: x * k if x > 0 else 0.0  # sizes\nscale(1)\n"
    beside = written(source, "scale")
    assert "0.0  # sizes\n\n\ndef scale_batched(x, k=2.0):\n" in beside
    same(load(beside).scale_batched, lambda x: x * 2 if x > 0 else 0.0, X)
    placed = written(source, "scale", replace=True)
    assert "# sizes\ndef scale(x, k=2.0):\n" in placed
    loops = "f = lambda x: (len(str(x)) +\n  1)\n"
    assert "f_sample = (lambda x: (len(str(x)) +\n  1)" in written(loops, "f", replace=True)
    same(load(written(loops, "f", replace=True)).f, lambda x: len(str(x)) + 1, X)
    same(load(written(loops, "f")).f_batched, lambda x: len(str(x)) + 1, X)


def test_private_names_of_classes():
    source = """
        from autovec import vectorize

        class Model:
            def __init__(self, gain: float):
                self.__gain = gain

            @vectorize
            def f(self, x):
                return x * self.__gain
    """
    module = load(written(source))
    same(module.Model(2.0).f, lambda x: x * 2, X)


def test_the_file_is_never_run(tmp_path):
    proof = tmp_path / "proof"
    source = f"""
        import pathlib
        import autovec
        import antigravity_that_does_not_exist
        pathlib.Path({str(proof)!r}).touch()

        class Meta(type):
            def __init__(cls, *a):
                pathlib.Path({str(proof)!r}).touch()

        class A(metaclass=Meta):
            def __del__(self):
                pathlib.Path({str(proof)!r}).touch()

        def default():
            pathlib.Path({str(proof)!r}).touch()
            return 1.0

        @autovec.vectorize
        def f(x, k=default()):
            return x * k
    """
    assert "k=default()" in written(source)
    assert not proof.exists()
