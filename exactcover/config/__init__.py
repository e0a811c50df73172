"""Read YAML and KEY=VALUE texts into validated configurations; mistakes come with line and column.

Private: import names from :mod:`exactcover`.
"""
