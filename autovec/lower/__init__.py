"""From the region program to statements: where, pack, loops, raises, buffers."""
