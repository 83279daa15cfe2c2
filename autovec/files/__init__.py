"""A file's text: what in it is to be batched, and the edits that do it. The file is never run."""
