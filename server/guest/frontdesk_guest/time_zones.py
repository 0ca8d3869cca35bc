"""`zoneinfo` over the time zone files that were put into the image."""

import io
import zoneinfo
import zoneinfo._common
import zoneinfo._tzpath


def install(files):
    """`files` maps zone names to TZif bytes."""

    def load_tzdata(key):
        try:
            return io.BytesIO(files[key])
        except KeyError:
            raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}") from None

    zoneinfo._common.load_tzdata = load_tzdata
    zoneinfo._tzpath.find_tzfile = lambda key: None
    zoneinfo.reset_tzpath = lambda to=None: None
    zoneinfo.available_timezones = lambda: set(files)
