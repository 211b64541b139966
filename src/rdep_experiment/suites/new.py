"""The comparison of the suite ``extended`` on tables of R packages and other public collections.

Each category becomes a column of zeros and ones, with a column for missing values if there are any,
for all classifiers and as in ``rdep evaluate``. Missing numbers are replaced by the means of the
training folds.
"""

from __future__ import annotations

from .. import report
from .._suite import Suite, Tables
from .extended import COMPARED
from .extended import SUITE as EXTENDED

# Source and target column of each table.
SOURCES = {
    "arrests": "R package carData, Arrests: released",
    "bdims_sex": "R package openintro, bdims: sex",
    "burn1000": "R package aplore3, burn1000: death",
    "college": "R package ISLR, College: Private",
    "diabetes_early": "R package MLDataR, diabetes_data: DiabeticClass",
    "frogs": "R package DAAG, frogs: pres.abs",
    "greene": "R package carData, Greene: decision",
    "hmda": "R package AER, HMDA: deny",
    "icu": "R package vcdExtra, ICU: died",
    "mammography": "github.com/jbrownlee/Datasets, mammography.csv: the last column",
    "myopia": "R package aplore3, myopia: myopic",
    "oasis": "R package NeuroDataSets, OASIS_cross_tbl_df: CDR",
    "oj": "R package ISLR, OJ: Purchase",
    "promoters": "R package kernlab, promotergene: Class",
    "rbglass": "R package archdata, RBGlass1: Site",
    "shuttle_landing": "R package MASS, shuttle: use",
    "vertebral": "github.com/renatopp/arff-datasets, classification/column2C.arff: class",
    "wells": "R package carData, Wells: switch",
}

SUITE = Suite(
    name="new",
    summary="as `extended`, on 18 tables of R packages and other collections",
    data=Tables(
        "new",
        tuple(SOURCES),
        ending=".csv.gz",
        one_hot=True,
        # From tables with more than 2,000 rows, a stratified sample of 2,000 was drawn.
        origin="make them as comma-separated tables with the target, 1 for the smaller class and "
        "0 for the other, as last column: " + "; ".join(map(": ".join, SOURCES.items())),
    ),
    classifiers=COMPARED,
    protocol=EXTENDED.protocol,
    report=report.other_scores,
)
