"""
====================
A document in colour
====================

A page has black text, a red stamp and yellowed paper with a stain. In the ordering by the distance
to the ink's colour, openings remove one ink and leave the other.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import ndimage
from skimage import data
from skimage.morphology import disk

from rdep.images import DistanceOrdering, RankedImage, median, opening, white_tophat

# %%
# The page is made from a scan of text: its ink is printed on coloured paper, and a round stamp over
# it in red.

text = data.page()[:170, :340].astype(float)
ink = np.clip((ndimage.gaussian_filter(text, 15) - 15 - text) / 60, 0, 1)[..., np.newaxis]
rows, columns = np.indices(text.shape)
distance = np.hypot(rows - 85, columns - 250)
stain = np.exp(-(((rows - 60) / 70) ** 2) - ((columns - 60) / 90) ** 2)[..., np.newaxis]
paper = np.array([245, 235, 205]) - stain * np.array([35, 60, 110])
stamp = ((np.abs(distance - 55) < 4) | (np.abs(distance - 40) < 2))[..., np.newaxis]
page = np.where(stamp, paper * 0.2 + np.array([200, 30, 40]) * 0.8, paper)
page = page * (1 - ink) + ink * np.array([25, 25, 35])
page += np.random.default_rng(0).normal(0, 4, page.shape)
page = np.clip(page, 0, 255).astype(np.uint8)

# %%
# One ordering for each ink. The nearest pixels to its colour are the largest, so an opening removes
# it and keeps all else. The difference of ρ between page and opening is the ink alone.

black = DistanceOrdering(reference=[25, 25, 35]).fit_image(page)
red = DistanceOrdering(reference=[205, 65, 70]).fit_image(page)
smooth = median(page, size=3, ordering=red)
without_stamp = opening(RankedImage.of(smooth, red), disk(6))
without_text = opening(RankedImage.of(page, black), disk(4))
text_alone = white_tophat(RankedImage.of(page, black), disk(4), residue="rho")

figure, axes = plt.subplots(2, 2, figsize=(11, 6), layout="constrained")
for ax, (title, picture) in zip(
    axes.flat,
    {
        "page": page,
        "opening by the distance to red: no stamp": without_stamp,
        "opening by the distance to black: no text": without_text,
        "top-hat by the distance to black: text": -text_alone,
    }.items(),
    strict=True,
):
    ax.imshow(picture, cmap="gray")
    ax.set_title(title)
    ax.set_axis_off()
plt.show()
