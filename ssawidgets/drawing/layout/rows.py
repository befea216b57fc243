"""Rows: the y of every layer and of every track.

Boxes of one layer have their tops in line. A channel is as high as its tracks need, and never lower than
`CHANNEL`, which leaves room for a few tracks: most added edges find it and move nothing. Tracks
stand in the middle of their channel.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.drawing.layout.model import CHANNEL, MARGIN, TRACK_BOTTOM, TRACK_GAP, TRACK_TOP


@dataclass(slots=True)
class Rows:
    """Where layers and tracks stand."""

    top: list[float]  #: y of the tops of the boxes, by layer
    first_track: list[float]  #: y of the uppermost track, by channel
    height: float  #: height of the whole drawing

    def track_y(self, channel: int, track: int) -> float:
        """Return the y of a track."""
        return self.first_track[channel] + track * TRACK_GAP


def stack_rows(layer: list[int], height: list[float], tracks: list[int]) -> Rows:
    """Stack channels and layers, from the top; channel k is above layer k, the last one below all layers."""
    row_height = [0.0] * (max(layer) + 1)
    for k, h in zip(layer, height, strict=True):
        row_height[k] = max(row_height[k], h)
    top, first_track = [], []
    y = MARGIN
    for k, count in enumerate(tracks):
        span = (count - 1) * TRACK_GAP
        if 0 < k < len(row_height):
            channel = max(CHANNEL, TRACK_TOP + span + TRACK_BOTTOM)
            first_track.append(y + (channel - span + TRACK_TOP - TRACK_BOTTOM) / 2)
        else:  # above the first layer and below the last one, where only edges that go up run
            channel = 0.0 if not count else span + (TRACK_BOTTOM if k == 0 else TRACK_TOP)
            first_track.append(y if k == 0 else y + TRACK_TOP)
        y += channel
        if k < len(row_height):
            top.append(y)
            y += row_height[k]
    return Rows(top, first_track, y + MARGIN)
