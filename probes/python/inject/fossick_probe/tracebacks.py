"""Keeps the probe's own frames out of the tracebacks that users see."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Until 3.10 a bare `raise` takes the traceback from elsewhere, so that frames are cut out later.
CUTS_AT_ONCE = sys.version_info >= (3, 11)


def is_ours(traceback):
    return traceback.tb_frame.f_code.co_filename.startswith(FOLDER)


def trim(error):
    """Takes the frames of the probe off the front; a bare `raise` must follow."""
    if CUTS_AT_ONCE:
        traceback = error.__traceback__
        while traceback is not None and is_ours(traceback):
            traceback = traceback.tb_next
        error.__traceback__ = traceback


def splice(traceback):
    """Takes the frames of the probe out of the middle."""
    while traceback is not None:
        while traceback.tb_next is not None and is_ours(traceback.tb_next):
            traceback.tb_next = traceback.tb_next.tb_next
        traceback = traceback.tb_next
