"""Date arithmetic with time zones: generators that never end, closures over a zone, folds and gaps of the clock."""

from __future__ import annotations

import calendar
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo


@dataclass(frozen=True, order=True, slots=True)
class Shift:
    start: datetime
    hours: float = 8
    labels: tuple[str, ...] = field(default=(), compare=False)

    @property
    def end(self) -> datetime:
        # Wall time does not add up over a change of clocks: the way leads through UTC.
        moved = self.start.astimezone(timezone.utc) + timedelta(hours=self.hours)
        return moved.astimezone(self.start.tzinfo)

    def __format__(self, spec: str) -> str:
        return f"{self.start:{spec or '%a %d.%m. %H:%M'}}-{self.end:%H:%M}"


def days_from(day: date) -> Iterator[date]:
    while True:
        yield day
        day += timedelta(days=1)


def every(*weekdays: str):
    numbers = {list(calendar.day_abbr).index(name) for name in weekdays}

    def matches(day: date) -> bool:
        return day.weekday() in numbers

    return matches


def plan_shifts(first_day: str, zone: str, weekdays: list[str], count: int = 4, starts_at: str = "22:00") -> dict:
    """Plans night shifts.

    Args:
        first_day: First possible day, ISO.
        zone: IANA name of the time zone.
        weekdays: Three-letter names.
        count: How many shifts.
        starts_at: Wall time of the beginning.
    """
    here = ZoneInfo(zone)
    begins = time.fromisoformat(starts_at)
    chosen = filter(every(*weekdays), days_from(date.fromisoformat(first_day)))
    shifts = [Shift(datetime.combine(day, begins, here)) for day in itertools.islice(chosen, count)]
    shifts = [replace(shift, labels=tuple(label(shift))) for shift in shifts]
    set_variable("planned", [f"{shift:}" for shift in shifts])
    gaps = [(after.start - before.end) / timedelta(hours=1) for before, after in itertools.pairwise(sorted(shifts))]
    return {
        "shifts": [f"{shift:%Y-%m-%d %H:%M%z}" for shift in shifts],
        "labels": [shift.labels for shift in shifts],
        "gaps": gaps,
        "longest": str(max(shift.end - shift.start for shift in shifts)),
        "weeks": sorted({"{0}-W{1:02}".format(*shift.start.isocalendar()) for shift in shifts}),
    }


def label(shift: Shift) -> Iterator[str]:
    if shift.start.utcoffset() != shift.end.utcoffset():
        yield "clock change"
    if shift.start.month != shift.end.month:
        yield "over the month"
    yield from (name for name, test in globals().items() if name.startswith("is_") and test(shift))


def is_weekend(shift: Shift) -> bool:
    return shift.start.weekday() >= 5
