"""The paper's data sets, ready for a classifier."""

from sklearn.impute import SimpleImputer

from rdep.datasets import load_paper_dataset


def load(data_dir, name):
    """X with missing values imputed, and y, 0 and 1."""
    dataset = load_paper_dataset(name, data_dir=data_dir)
    return SimpleImputer(keep_empty_features=True).fit_transform(dataset.X), dataset.y
