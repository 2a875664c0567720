"""At home in scikit-learn: learners over rows as classifiers and regressors, and classifiers combined as experts."""

try:
    import sklearn  # noqa: F401
except ImportError:
    raise ImportError("littlestone.sklearn needs scikit-learn: pip install 'littlestone[sklearn]'") from None

from littlestone.sklearn.combined import CombinedClassifier
from littlestone.sklearn.online import OnlineClassifier
from littlestone.sklearn.regressor import OnlineRegressor

__all__ = ["CombinedClassifier", "OnlineClassifier", "OnlineRegressor"]
