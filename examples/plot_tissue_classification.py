"""
==========================
Classifying stained tissue
==========================

An r-DEP classifies the pixels of a tissue section into three classes. Pixels of one kind of tissue
differ, so the regions have many holes. An alternating sequential filter, in an ordering from stroma
to epithelium, smooths each tissue beforehand without false colours.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch, Rectangle
from skimage import data
from skimage.morphology import disk

from rdep import RDEPClassifier
from rdep.images import SupervisedOrdering, alternating_sequential_filter, classify, labelled_pixels

tissue = data.immunohistochemistry()

# %%
# The training set consists of rectangles drawn on the picture; 0 stands for pixels without a label.

NAMES = {1: "stroma", 2: "epithelium", 3: "empty"}
MARKS = [
    (1, 270, 180, 40, 40),
    (1, 440, 160, 40, 40),
    (2, 60, 180, 30, 40),
    (2, 380, 300, 40, 40),
    (2, 360, 80, 40, 40),
    (3, 350, 5, 50, 30),
    (3, 405, 455, 30, 20),
]
labels = np.zeros(tissue.shape[:2], dtype=np.uint8)
for label, row, column, height, width in MARKS:
    labels[row : row + height, column : column + width] = label

# %%
# The ordering goes from stroma to epithelium. The filter opens and closes with growing disks.

brown_on_top = SupervisedOrdering(max_pixels=300, random_state=0)
brown_on_top.fit_masks(tissue, labels == 2, labels == 1)
smooth = alternating_sequential_filter(
    tissue, [disk(1), disk(2), disk(3), disk(4)], ordering=brown_on_top, first="closing"
)

# %%
# Both pictures are classified, each by an r-DEP trained on its own marked pixels.


def segment(image):
    X, y = labelled_pixels(image, labels)
    drawn = np.random.default_rng(0).choice(len(X), 1200, replace=False)
    return classify(image, RDEPClassifier("ensemble").fit(X[drawn], y[drawn]))


COLOURS = ["#0072B2", "#D55E00", "#F0C0DC"]
figure, axes = plt.subplots(2, 2, figsize=(9.5, 10), layout="constrained")
for column, (title, image) in zip(
    axes.T, {"as photographed": tissue, "filtered": smooth}.items(), strict=True
):
    column[0].imshow(image)
    column[0].set_title(title)
    column[1].imshow(segment(image), cmap=ListedColormap(COLOURS), vmin=1, vmax=3)
    column[1].set_title(f"classes, {title}")
for label, row, column, height, width in MARKS:
    axes[0, 0].add_patch(
        Rectangle((column, row), width, height, fill=False, ec=COLOURS[label - 1], lw=2.5)
    )
for ax in axes.flat:
    ax.set_axis_off()
figure.legend(
    handles=[Patch(color=COLOURS[label - 1], label=name) for label, name in NAMES.items()],
    loc="outside lower center",
    ncols=3,
)
plt.show()
