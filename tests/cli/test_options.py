"""Messages of the library in the words of the command."""

import re

import pytest
from typer import Context
from typer.main import get_command

from rdep.cli._app import app
from rdep.cli._options import TRANSLATED, in_options

from ..places import SOURCE


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("leave it out (drop=('id',)), or", "leave it out (--drop id), or"),
        ("drop=('my id', 'b')", "--drop 'my id' --drop b"),
        ("give ReadOptions(decimal=','); if", "give --decimal ,; if"),
        ("ReadOptions(na_values=('n.a.',)).", "--na-values n.a.."),
        ("raise max_categories=100.", "raise --max-categories 100."),
        ("with ignore_extra=True", "with --ignore-extra"),
        ("a folder (data_dir=…)", "a folder (--data-dir …)"),
        (
            "as dep__C=0.1 or dep__weighting=None",
            "as --set dep__C=0.1 or --set dep__weighting=none",
        ),
    ],
)
def test_parameters_become_options(python, command):
    assert in_options(python) == command


@pytest.mark.parametrize(
    "text",
    [
        "the column 'drop=1' of the user's table, called \"json=True\"",
        "feature 'colour=red' is colour=red",
        "calibrate with ensemble=False, search with refit=True",
        "json=False",
        "such as --set dep__C=0.1",
        "data_dir='C:\\Users' is no literal of Python",
    ],
)
def test_other_texts_stay_as_they_are(text):
    assert in_options(text) == text


def test_parameters_of_a_classifier_are_set():
    text = "margin=0.5; escape=True; weighting=None; beta_loss='margin_hinge'"
    assert in_options(text) == text
    assert in_options(text, settings=True) == (
        "--set margin=0.5; --set escape=true; --set weighting=none; --set beta_loss=margin_hinge"
    )


def test_what_is_translated_are_options():
    group = get_command(app)
    context = Context(group)
    commands = [group.get_command(context, name) for name in group.list_commands(context)]
    options = {option for command in commands for param in command.params for option in param.opts}
    assert {f"--{name.replace('_', '-')}" for name in TRANSLATED} <= options


def test_the_library_names_no_options():
    found = [
        (path.name, text)
        for room in ("tables", "model_files", "onnx", "display", "images")
        for path in (SOURCE / room).glob("*.py")
        for text in re.findall(r"--[a-z][a-z-]*", path.read_text("utf-8"))
    ]
    assert not found
