//! Who produces what others consume, and which resources there are.
