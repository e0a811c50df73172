"""The files that the package reads and writes, one module per format.

Public: `csv_problem`, `dlx`, `json_problem`, `models`, `diagrams` and `solutions`.
"""
