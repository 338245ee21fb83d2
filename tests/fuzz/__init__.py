"""Everything that reads what others have written, taken apart for fuzzing."""
