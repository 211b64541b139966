"""
====================
A document in colour
====================

A page has black text, a red stamp and yellowed paper with a stain. In the ordering by the distance
to the colour of the ink, an opening removes the text and leaves the stamp.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import ndimage
from skimage import data
from skimage.morphology import disk

from rdep.images import DistanceOrdering, RankedImage, closing, opening, white_tophat

# %%
# The page is made from a scan of text: its ink is printed on coloured paper, and a round stamp over
# it in red.

text = data.page()[:170, :340].astype(float)
ink = np.clip((ndimage.gaussian_filter(text, 15) - 15 - text) / 60, 0, 1)[..., np.newaxis]
rows, columns = np.indices(text.shape)
distance = np.hypot(rows - 85, columns - 250)
stain = np.exp(-(((rows - 60) / 70) ** 2) - ((columns - 60) / 90) ** 2)[..., np.newaxis]
paper = np.array([245, 235, 205]) - stain * np.array([35, 60, 110])
stamp = (np.abs(distance - 52) < 7)[..., np.newaxis]
page = np.where(stamp, paper * 0.2 + np.array([200, 30, 40]) * 0.8, paper)
page = page * (1 - ink) + ink * np.array([25, 25, 35])
page += np.random.default_rng(0).normal(0, 4, page.shape)
page = np.clip(page, 0, 255).astype(np.uint8)

# %%
# Pixels near black are the largest, so an opening removes the text, which is narrower than the
# disk, and keeps the stamp, which is wider. What it removed is the text alone. Closing each channel
# also removes the text, and makes colours that the page does not have.


def new_colours(result):
    known = {tuple(colour) for colour in page.reshape(-1, 3).tolist()}
    return np.mean([tuple(colour) not in known for colour in result.reshape(-1, 3).tolist()])


black = DistanceOrdering(reference=[25, 25, 35]).fit_image(page)
ranked = RankedImage.of(page, black)
without_text = opening(ranked, disk(3))
text_alone = white_tophat(ranked, disk(3), residue="rho")
by_channels = closing(page, disk(3), ordering="marginal")

figure, axes = plt.subplots(2, 2, figsize=(11, 6), layout="constrained")
for ax, (title, picture) in zip(
    axes.flat,
    {
        "page": page,
        "opening: no text, no new colours": without_text,
        "top-hat by differences of ρ: the text": -text_alone,
        f"closing of each channel: {new_colours(by_channels):.0%} of the pixels have new colours": (
            by_channels
        ),
    }.items(),
    strict=True,
):
    ax.imshow(picture, cmap="gray")
    ax.set_title(title)
    ax.set_axis_off()
plt.show()
