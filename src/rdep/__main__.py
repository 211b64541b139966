"""``python -m rdep`` is the command ``rdep``."""

from .cli import main

main()
