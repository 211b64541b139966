"""Parameters, attributes and sources that the orderings by members share, described once."""

CV = """
cv : int, cross-validation splitter, iterable or None, default=None
    Cross-validation with which ``fit_transform`` computes the values of the training samples:
    each sample's values come from members fitted on the other folds. An integer is the number of
    stratified folds of shuffled samples. None takes the values of the fitted members themselves,
    which are in-sample (over-optimistic). A forest with ``oob_score=True`` whose samples weigh the
    same is not fitted again: its out-of-bag values serve. Classes are balanced within its bags.
"""

STACK = """
stack : bool or "positive", default=%s
    Whether to add one component to ρ: the decision value of a logistic regression on the members'
    values, with balanced class weights. It is fitted on cross-fitted values if ``cv`` is set,
    otherwise on in-sample (over-optimistic) values. With ``"positive"`` no coefficient is negative,
    and the component never falls where a member's value rises, as in Breiman's stacks; where no
    member tells the classes apart, it is zero.
"""

SHRINKAGE = """
shrinkage : float in [0, 1), default=%s
    How far decisions are drawn from those of a DEP towards those of the stack%s. The DEP is
    trained on the members as they are, in units of their standard deviations; ``transform`` adds
    shrinkage / (1 - shrinkage) times the stack, in such units too, to all of them, and thereby to
    the DEP's value. With 0.5 the decision is by the mean of both. With ``cv=None``,
    ``fit_transform`` adds it as well, and the DEP is trained on the sums.
"""

N_JOBS = """
n_jobs : int or None, default=None
    Number of members fitted in parallel; None means 1.
"""

VERBOSE = """
verbose : int, default=0
    Whether to print each member and each fold of ``cv`` with its time, as soon as it is fitted; 2
    prints the members of each fold as well.
"""

FITTED = """
estimators_ : list of classifiers
    The fitted members.
stack_ : Pipeline
    The logistic regression on the members' values, if ``stack`` is set.
stack_scale_ : float
    Standard deviation of its decision values in the fit.
classes_ : ndarray of shape (2,)
    The negative and the positive class.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features seen in ``fit``, if all of them are strings.
"""

REDUCED_ORDERINGS = """
J. Goutsias, H. J. A. M. Heijmans and K. Sivakumar, "Morphological operators for image
sequences", Computer Vision and Image Understanding 62(3), 1995.

M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
2020.
"""
