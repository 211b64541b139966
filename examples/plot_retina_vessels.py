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

from rdep.images import SupervisedOrdering, gradient, opening, order_values, white_tophat

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
# They are computed once for all operators.

rho = order_values(retina, vessels_on_top)
without = opening(retina, disk(13), ordering=rho)
taken = white_tophat(retina, disk(13), ordering=rho)
edges = gradient(retina, disk(1), ordering=rho)

figure, axes = plt.subplots(2, 2, figsize=(9.5, 8.6), layout="constrained")
axes[0, 0].imshow(retina)
axes[0, 0].set_title("retina")
axes[0, 1].imshow(without)
axes[0, 1].set_title("opening: without vessels, no new colours")
axes[1, 0].imshow(taken, cmap="gray", vmax=np.quantile(taken, 0.995))
axes[1, 0].set_title("top-hat: how far the colours moved")
axes[1, 1].imshow(edges, cmap="gray", vmax=np.quantile(edges, 0.995))
axes[1, 1].set_title("gradient")
for ax in axes.flat:
    ax.set_axis_off()
plt.show()
