"""
=======================
The vessels of a retina
=======================

The vessels of a fundus photograph are thin and of a darker red than their surroundings. In an
ordering in which vessels are largest, an opening removes them, and the top-hat shows what it
removed.
"""

import matplotlib.pyplot as plt
import numpy as np
from skimage import data
from skimage.morphology import disk
from sklearn.svm import SVC

from rdep.images import RankedImage, SupervisedOrdering, opening, white_tophat

retina = data.retina()[300:1000, 100:900]

# %%
# Instead of marks by hand, the green channel marks pixels: those much darker than their
# surroundings, and those not darker at all.

green = retina[..., 1].astype(float)
darker = opening(retina, disk(13), ordering=-green)[..., 1] - green
vessels = darker > np.quantile(darker, 0.97)
others = darker < np.quantile(darker, 0.5)

vessels_on_top = SupervisedOrdering(SVC(kernel="linear"), max_pixels=400, random_state=0)
vessels_on_top.fit_masks(retina, vessels, others)

# %%
# The values of the ordering are an image: the brighter a pixel, the more similar it is to a vessel.
# The image is ranked once for all operators. A top-hat shows how far the opening moved the colours,
# or by how much it lowered ρ. Distances show rings where the opening chose another red; the
# difference of ρ shows vessels only.

ranked = RankedImage.of(retina, vessels_on_top)
without = opening(ranked, disk(13))
moved = white_tophat(ranked, disk(13))
lowered = white_tophat(ranked, disk(13), residue="rho")

figure, axes = plt.subplots(2, 2, figsize=(9.5, 8.6), layout="constrained")
axes[0, 0].imshow(retina)
axes[0, 0].set_title("retina")
axes[0, 1].imshow(without)
axes[0, 1].set_title("opening: without vessels, no new colours")
axes[1, 0].imshow(moved, cmap="gray", vmax=np.quantile(moved, 0.995))
axes[1, 0].set_title("top-hat: distance of colours")
axes[1, 1].imshow(lowered, cmap="gray", vmax=np.quantile(lowered, 0.995))
axes[1, 1].set_title("top-hat: difference of ρ")
for ax in axes.flat:
    ax.set_axis_off()
plt.show()
