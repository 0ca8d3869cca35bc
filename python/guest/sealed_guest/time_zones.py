"""`zoneinfo` over the time zone files that lie beside the image."""

import io
import zoneinfo
import zoneinfo._common
import zoneinfo._tzpath

from sealed_guest import resources


def install():
    zoneinfo._common.load_tzdata = _load
    zoneinfo._tzpath.find_tzfile = lambda key: None
    zoneinfo.reset_tzpath = lambda to=None: None
    zoneinfo.available_timezones = lambda: set(resources.read("zones").decode().split())


def _load(key):
    data = resources.read(f"zone {key}")
    if data is None:
        raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}")
    return io.BytesIO(data)
