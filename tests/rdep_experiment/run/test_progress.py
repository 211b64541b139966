"""What a person sees of a run."""

from rdep_experiment.run._progress import LiveProgress, clock


def test_clock():
    assert clock(65) == "1:05"
    assert clock(3725) == "1:02:05"


def test_writing_the_report_is_shown_where_somebody_watches(monkeypatch, capsys):
    monkeypatch.setenv("TTY_INTERACTIVE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with LiveProgress().reporting():
        pass
    assert "Writing tables, figures and report" in capsys.readouterr().err
