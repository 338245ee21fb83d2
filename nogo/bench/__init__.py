"""Measuring: how many random games a second."""
