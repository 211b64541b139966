"""
==================================
Targets in a hyperspectral picture
==================================

A simulated cube of 120 channels shows two kinds of ground, a road, and a few small targets. The
spectra of the targets differ from those of the ground around them in one narrow absorption band
only. Neither the visible channels nor the principal component show them. An ordering learned from
the pixels of two targets does, and an opening with a larger structuring element removes them.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import ndimage
from skimage.morphology import disk
from sklearn.svm import SVC

from rdep.images import PCAOrdering, SupervisedOrdering, opening, order_values

# %%
# Smooth spectra, mixed by smooth fields, with noise.

rng = np.random.default_rng(3)
wavelength = np.linspace(400, 2400, 120)


def band(centre, width):
    return np.exp(-(((wavelength - centre) / width) ** 2))


soil = 0.35 + 0.25 * band(1500, 700) - 0.08 * band(1400, 60)
grass = 0.15 + 0.45 * band(1000, 350) + 0.12 * band(550, 40) - 0.10 * band(1400, 80)
asphalt = 0.12 + 0.05 * band(2000, 900)
absorbed = 0.10 * band(2200, 50)

size = 160
field = ndimage.gaussian_filter(rng.normal(size=(size, size)), 14)
share_of_grass = 1 / (1 + np.exp(-6 * field / field.std()))[..., None]
cube = share_of_grass * grass + (1 - share_of_grass) * soil
rows, columns = np.mgrid[:size, :size]
cube[np.abs(rows - 0.5 * columns - 60) < 3] = asphalt
truth = np.zeros((size, size), dtype=bool)
for row, column in [(20, 30), (35, 120), (60, 75), (120, 40), (130, 130), (145, 85)]:
    truth |= (rows - row) ** 2 + (columns - column) ** 2 <= 4
cube[truth] -= absorbed
brightness = 1 + 0.15 * ndimage.gaussian_filter(rng.normal(size=(size, size)), 6)[..., None] / 0.05
cube = (cube * brightness + rng.normal(scale=0.012, size=cube.shape)).astype(np.float32)

# %%
# Two of the six targets are known; the background is drawn from anywhere else.

known = truth & (rows < 50)
elsewhere = ~ndimage.binary_dilation(truth, iterations=3)
linear = SVC(kernel="linear", class_weight="balanced")
targets_on_top = SupervisedOrdering(linear, max_pixels=600, random_state=0)
targets_on_top.fit_masks(cube, known, elsewhere)
component = PCAOrdering().fit_image(cube)

# %%
# The decrease of the ordering's values by an opening with a disk wider than the targets. For the
# principal component that is bright ground beside the road; for the supervised ordering it is the
# targets, including the four unknown ones.

figure, axes = plt.subplots(2, 3, figsize=(12, 7.6), layout="constrained")
visible = [np.argmin(np.abs(wavelength - nanometres)) for nanometres in (650, 550, 450)]
axes[0, 0].imshow(np.clip(cube[..., visible] * 1.8, 0, 1))
axes[0, 0].set_title("visible channels")
axes[1, 0].plot(wavelength, soil, color="#E69F00", label="soil")
axes[1, 0].plot(wavelength, soil - absorbed, color="#D55E00", ls="--", label="target on soil")
axes[1, 0].plot(wavelength, grass, color="#009E73", label="grass")
axes[1, 0].plot(wavelength, asphalt, color="#555555", label="asphalt")
axes[1, 0].set(xlabel="wavelength in nm", ylabel="reflectance", title="spectra")
axes[1, 0].legend()
for column, (name, ordering) in zip(
    axes.T[1:],
    {"principal component": component, "supervised": targets_on_top}.items(),
    strict=True,
):
    rho = order_values(cube, ordering)
    fall = rho - order_values(opening(cube, disk(4), ordering=rho), ordering)
    column[0].imshow(rho, cmap="gray")
    column[0].set_title(f"{name}: values")
    column[1].imshow(fall, cmap="gray")
    column[1].set_title("values lost by the opening")
for ax in [*axes[0], *axes[1, 1:]]:
    ax.set_axis_off()
plt.show()
