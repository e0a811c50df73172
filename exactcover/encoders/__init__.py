"""What turns parameters into problems, and how encoders are found.

Private: import names from :mod:`exactcover`.
"""
