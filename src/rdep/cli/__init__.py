"""The command `rdep`. Every command calls one function of the package."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

from .. import __version__
from ._app import app, typer

# For packages that add commands, such as rdep_experiment.
from ._app import new_app as new_app
from ._options import FIGURES as FIGURES
from ._options import REPORT as REPORT
from ._options import TABLES as TABLES
from ._options import Categorical as Categorical
from ._options import ClassWeight as ClassWeight
from ._options import Cost as Cost
from ._options import Data as Data
from ._options import Decimal as Decimal
from ._options import Drop as Drop
from ._options import DropUnlabelled as DropUnlabelled
from ._options import Encoding as Encoding
from ._options import EstimatorName as EstimatorName
from ._options import Json as Json
from ._options import MaxCategories as MaxCategories
from ._options import Monotonic as Monotonic
from ._options import NaValues as NaValues
from ._options import Number as Number
from ._options import Ordering as Ordering
from ._options import Positive as Positive
from ._options import Quantile as Quantile
from ._options import RandomState as RandomState
from ._options import Sep as Sep
from ._options import Settings as Settings
from ._options import Sheet as Sheet
from ._options import SkipRows as SkipRows
from ._options import Target as Target
from ._options import TaskName as TaskName
from ._options import Threshold as Threshold
from ._options import in_options
from ._options import model_parameters as model_parameters
from ._options import parse_cost as parse_cost
from ._options import parse_threshold as parse_threshold
from ._options import quantile_parameters as quantile_parameters
from ._options import read_options as read_options
from ._options import require as require
from ._terminal import warnings_on_stderr as warnings_on_stderr

# Imported for its commands.
from . import _models as models  # isort: skip # noqa: F401
from . import _images as images  # isort: skip # noqa: F401


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"rdep {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command; errors end with a message and exit code 2."""
    # Without a writable home, matplotlib logs the place of its cache, which no user needs to know.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        app()
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"rdep: {in_options(str(error))}", err=True)
        sys.exit(2)
