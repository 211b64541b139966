"""
=================================
Digits recalled from noisy digits
=================================

Ten digits are stored in the three associative memories and recalled under three kinds of noise.
Erosive noise makes pixels black, and W restores them; dilative noise makes pixels white, and M and
the max-plus projection restore them. No memory tolerates noise in both directions at once.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from rdep import AssociativeMemory

digits = load_digits().data[:10]
memories = {kind: AssociativeMemory(kind).fit(digits) for kind in ("W", "M", "pamm")}

rng = np.random.default_rng(1)
hit = rng.random(digits.shape) < 0.1
white = rng.random(digits.shape) < 0.5
noises = {
    "erosive": np.where(hit, 0, digits),
    "dilative": np.where(hit, 16, digits),
    "mixed": np.where(hit, 16 * white, digits),
}

columns = ["stored", "noisy", *memories]
shown = (3, 8)
figure, axes = plt.subplots(6, 5, figsize=(6.5, 8.2), layout="constrained")
for block, (noise, noisy) in enumerate(noises.items()):
    recalled = [memory.predict(noisy) for memory in memories.values()]
    for place, digit in enumerate(shown):
        row = axes[2 * block + place]
        for ax, title, images in zip(row, columns, [digits, noisy, *recalled], strict=True):
            ax.imshow(images[digit].reshape(8, 8), cmap="gray", vmin=0, vmax=16)
            ax.set(xticks=[], yticks=[])
            if block == place == 0:
                ax.set_title(title, fontsize="medium")
        row[0].set_ylabel(f"{noise} noise", fontsize="small")
plt.show()

# %%
# The mean difference between recalled and stored pixels as noise grows.

shares = np.linspace(0, 0.5, 11)
figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, (noise, level) in zip(
    axes, {"erosive": 0.0, "dilative": 1.0, "mixed": 0.5}.items(), strict=True
):
    errors = {name: [] for name in ("no recall", *memories)}
    for share in shares:
        rng = np.random.default_rng(0)
        hit, white = (rng.random((20, *digits.shape)) < limit for limit in (share, level))
        noisy = np.where(hit, 16.0 * white, digits)
        errors["no recall"].append(np.abs(noisy - digits).mean())
        for name, memory in memories.items():
            recalled = memory.predict(noisy.reshape(-1, digits.shape[1])).reshape(noisy.shape)
            errors[name].append(np.abs(recalled - digits).mean())
    for name, values in errors.items():
        ax.plot(100 * shares, values, "--" if name == "no recall" else "-", label=name)
    ax.set(title=f"{noise} noise", xlabel="pixels hit, %")
axes[0].set_ylabel("mean error, grey levels")
axes[1].legend(frameon=False, fontsize="small", loc=(0.5, 0.55))
plt.show()

# %%
# The exact condition for recall shows which pixels prevent it: those beyond what the memory
# tolerates, and those that no pixel determines any longer.

for noise, noisy in noises.items():
    condition = memories["W"].recall_condition(noisy, digits)
    print(
        f"{noise:8}: W recalls {condition.holds.sum():2} of 10; "
        f"{condition.excessive.sum():3} pixels too high, "
        f"{condition.unsupported.sum():3} without support"
    )
