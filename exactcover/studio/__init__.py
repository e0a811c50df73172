"""A local page on which puzzles are made and played; the command is ``exactcover studio``.

Private: import names from :mod:`exactcover`.
"""
