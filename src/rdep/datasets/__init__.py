"""Data sets of the paper, and a time series."""

from ._arff import ArffTable as ArffTable
from ._arff import parse_arff as parse_arff
from ._embedded import TrainTestSplit, load_ripley, load_sunspots, make_double_moon
from ._paper import Dataset, PaperDataset, find_paper_dataset, load_paper_dataset, paper_datasets

__all__ = [
    "Dataset",
    "PaperDataset",
    "TrainTestSplit",
    "find_paper_dataset",
    "load_paper_dataset",
    "load_ripley",
    "load_sunspots",
    "make_double_moon",
    "paper_datasets",
]
