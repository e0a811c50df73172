"""YAML and KEY=VALUE in, validated configurations out, mistakes with line and column.

Private: import names from :mod:`exactcover`.
"""
