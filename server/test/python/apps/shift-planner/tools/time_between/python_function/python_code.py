import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MOMENT = re.compile(
    r"""
    (?P<day>\d{4}-\d\d-\d\d) [T ] (?P<clock>\d\d:\d\d)   # wall time
    \s* (?P<zone>[A-Z]\w+(?:/[\w+-]+)+)                   # where
    """,
    re.VERBOSE,
)
UNITS = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))


def parse(text):
    if not (found := MOMENT.fullmatch(text.strip())):
        raise ValueError(f"not a moment: {text!r}")
    return datetime.fromisoformat(f"{found['day']}T{found['clock']}").replace(tzinfo=ZoneInfo(found["zone"]))


def spell(rest, units=UNITS):
    if not units:
        return []
    (name, size), *smaller = units
    number, rest = divmod(rest, size)
    plural = "s" * (number != 1)
    return [f"{number} {name}{plural}"] * bool(number) + spell(rest, smaller)


def time_between(begin: str, end: str) -> dict:
    """Tells how long it is from one moment to another, each with its own time zone."""
    try:
        a, b = map(parse, (begin, end))
    except (ValueError, ZoneInfoNotFoundError) as error:
        return {"error": str(error), "agent_action": "Ask again."}
    b = b.astimezone(a.tzinfo)
    elapsed = b.timestamp() - a.timestamp()
    return {
        "elapsed": " ".join(spell(timedelta(seconds=abs(elapsed)))) or "none",
        "backwards": elapsed < 0,
        "on_the_clock": str(b.replace(tzinfo=None) - a.replace(tzinfo=None)),
        "names": [a.tzname(), b.tzname()],
    }
