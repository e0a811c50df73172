"""The solution set as a zero-suppressed decision diagram."""
