"""
================================================
False colours: marginal and supervised orderings
================================================

A dilation takes the largest pixel of each neighbourhood. Which of two colours is larger?
Filtering each channel separately (*marginal* ordering) avoids the question, at the price of false
colours: values that the image does not have. In a *supervised* ordering, a colour is larger if it
is more similar to the foreground.
"""

import matplotlib.pyplot as plt
import numpy as np
from skimage import data
from skimage.morphology import disk
from sklearn.svm import SVC

from rdep.images import (
    CondorcetOrdering,
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    dilation,
    irregularity_index,
)

# %%
# Marks on the image define the foreground, the orange suit, and the background: the backdrop, the
# helmet and the badge. An SVC learns the order of all colours from them.

photo = data.astronaut()
foreground = np.zeros(photo.shape[:2], dtype=bool)
background = np.zeros_like(foreground)
foreground[300:340, 120:220] = True
background[20:140, 310:350] = True
background[440:490, 330:400] = True
background[350:420, 135:205] = True


def suit_on_top(kernel):
    """Ordering from background to foreground."""
    ordering = SupervisedOrdering(SVC(kernel=kernel), max_pixels=500, random_state=0)
    return ordering.fit_masks(photo, foreground, background)


# %%
# The same dilation with both orderings. With the marginal ordering, the violet rim of the badge and
# the orange of the suit mix to pink, and light areas spread. With the supervised ordering, the suit
# grows, and every pixel is one of the photograph.

crop = photo[290:450, 110:390]
marginal = dilation(crop, disk(5), ordering="marginal")
supervised = dilation(crop, disk(5), ordering=suit_on_top("rbf"))


def false_colours(result):
    """Mask of pixels in the result that the photograph does not have."""
    known, found = (picture.astype(int) @ [65536, 256, 1] for picture in (photo, result))
    return ~np.isin(found, known)


figure, axes = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained")
wrong = false_colours(marginal)
for ax, title, picture in zip(
    axes.flat,
    (
        "photograph",
        f"supervised dilation: {false_colours(supervised).sum()} false colours",
        "marginal dilation",
        f"its false colours, in pink: {wrong.mean():.0%} of the pixels",
    ),
    (crop, supervised, marginal, np.where(wrong[..., None], (255, 0, 160), marginal // 3 + 170)),
    strict=True,
):
    ax.imshow(picture)
    ax.set_title(title)
    ax.set_axis_off()

# %%
# Every total ordering is irregular: it cannot keep all similar colours close. The irregularity
# index measures how far a dilation moves pixels in colour space beyond what is needed. The marginal
# ordering is the most regular, but creates false colours; the principal component and the majority
# of the channels come next. The supervised orderings are the most irregular here: they depend only
# on the similarity to the suit, and colours as different as black and violet may be equally
# dissimilar to it.

orderings = {
    "marginal": "marginal",
    "supervised, linear": suit_on_top("linear"),
    "supervised, RBF": suit_on_top("rbf"),
    "principal component": PCAOrdering().fit_image(photo),
    "majority of the channels": CondorcetOrdering(random_state=0).fit_image(photo),
    "lexicographic, red first": LexicographicOrdering(),
    "lexicographic, blue first": LexicographicOrdering([2]),
}
indices = {
    name: irregularity_index(crop, dilation(crop, disk(3), ordering=ordering), window=8)
    for name, ordering in orderings.items()
}

figure, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
bars = ax.barh(list(indices), list(indices.values()), color="#0072B2")
ax.bar_label(bars, fmt="%.3f", padding=3)
ax.set(xlabel="irregularity index of the dilation", xlim=(0, 1.15 * max(indices.values())))
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
plt.show()
