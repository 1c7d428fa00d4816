//! Recall and false positives on labelled rows, where they are at hand.
