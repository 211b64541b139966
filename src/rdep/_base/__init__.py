"""What estimators share: validation, labels, one against the rest, fits that succeed or undo."""
