"""What every room uses: arrays in blocks, files, optional packages, private scikit-learn names."""
