"""What a search is asked, what ends it, and what it counts and notes.

Private: import names from :mod:`exactcover`.
"""
