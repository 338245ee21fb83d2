"""The same agents behind other people's wires: one module a protocol. Nothing here prints; the command line does."""
