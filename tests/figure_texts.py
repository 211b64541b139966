"""Whether all texts of a figure can be read."""

from itertools import combinations


def drawn(figure):
    """The bounding boxes of all visible texts, in pixels, after a drawing."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    # Matplotlib keeps ticks outside the limits, without drawing them.
    undrawn = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    texts = [
        text
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text() and text not in undrawn
    ]
    return {text: text.get_window_extent(renderer) for text in texts}


def check_texts(figure):
    width, height = figure.bbox.size
    boxes = {text: box for text, box in drawn(figure).items() if box.width > 0}
    for text, box in boxes.items():
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
        assert inside, f"{text.get_text()!r} is cut"
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        apart = a.x1 <= b.x0 + 1 or b.x1 <= a.x0 + 1 or a.y1 <= b.y0 + 1 or b.y1 <= a.y0 + 1
        assert apart, f"{one.get_text()!r} covers {other.get_text()!r}"
