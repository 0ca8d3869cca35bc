#: dates: arithmetic over months' ends and leap years | CPython
def f():
    from datetime import date, timedelta
    d = date(2024, 2, 28)
    return [str(d + timedelta(days=2)), (date(2024, 3, 1) - date(2023, 3, 1)).days, d.weekday(), d.isocalendar()[:], str(d.replace(year=2023)), date.fromisoformat("2024-W09-3").isoformat(), date(1, 1, 1).toordinal(), str(date.max), d.strftime("%A %d. %B %Y, %j %U %W"), str(date.fromordinal(738000))]
#= ["2024-03-01", 366, 2, [2024, 9, 3], "2023-02-28", "2024-02-28", 1, "9999-12-31", "Wednesday 28. February 2024, 059 08 09", "2021-07-29"]

#: times: deltas, their parts and their texts | CPython
def f():
    from datetime import timedelta as t
    d = t(days=-1, hours=5, minutes=3, microseconds=7)
    return [str(d), [d.days, d.seconds, d.microseconds], d.total_seconds(), str(abs(d)), t(hours=7) // t(minutes=45), str(t(hours=7) % t(minutes=45)), t(hours=1) / t(minutes=8), str(t(days=1) * 1.5), repr(t(weeks=1)), t.max.days, str(-d)]
#= ["-1 day, 5:03:00.000007", [-1, 18180, 7], -68219.999993, "18:56:59.999993", 9, "0:15:00", 7.5, "1 day, 12:00:00", "datetime.timedelta(days=7)", 999999999, "18:56:59.999993"]

#: summer time in Berlin: the hour that is missing and the one that is twice | CPython
def f():
    from datetime import datetime, timedelta
    from zoneinfo import ZoneInfo
    berlin, utc = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
    gap = datetime(2024, 3, 31, 2, 30, tzinfo=berlin)
    twice = [datetime(2024, 10, 27, 2, 30, fold=n, tzinfo=berlin) for n in (0, 1)]
    return [gap.isoformat(), gap.astimezone(utc).isoformat(), gap.astimezone(utc).astimezone(berlin).isoformat(), [t.isoformat() for t in twice], [t.tzname() for t in twice], twice[0] == twice[1], (twice[1].astimezone(utc) - twice[0].astimezone(utc)).seconds, (datetime(2024, 3, 31, 12, tzinfo=berlin) - datetime(2024, 3, 30, 12, tzinfo=berlin)).total_seconds(), (datetime(2024, 3, 30, 12, tzinfo=berlin) + timedelta(days=1)).utcoffset().seconds]
#= ["2024-03-31T02:30:00+01:00", "2024-03-31T01:30:00+00:00", "2024-03-31T03:30:00+02:00", ["2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00"], ["CEST", "CET"], true, 3600, 86400.0, 7200]

#: zones round the world | CPython
def f():
    from datetime import datetime, timezone
    from zoneinfo import ZoneInfo
    moment = datetime(2024, 7, 4, 18, 45, tzinfo=timezone.utc)
    zones = ["America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham", "America/St_Johns", "Africa/Casablanca", "Asia/Tokyo", "America/Sao_Paulo", "Pacific/Kiritimati"]
    return [f"{moment.astimezone(ZoneInfo(z)):%Y-%m-%d %H:%M %z %Z}" for z in zones]
#= ["2024-07-04 14:45 -0400 EDT", "2024-07-05 00:15 +0530 IST", "2024-07-05 00:30 +0545 +0545", "2024-07-05 05:15 +1030 +1030", "2024-07-05 07:30 +1245 +1245", "2024-07-04 16:15 -0230 NDT", "2024-07-04 19:45 +0100 +01", "2024-07-05 03:45 +0900 JST", "2024-07-04 15:45 -0300 -03", "2024-07-05 08:45 +1400 +14"]

#: zones in the past and in the future | CPython
def f():
    from datetime import datetime
    from zoneinfo import ZoneInfo
    return [datetime(y, 7, 1, tzinfo=ZoneInfo(z)).utcoffset().total_seconds() for z, y in (("Europe/London", 1970), ("Europe/London", 1945), ("America/New_York", 1900), ("Asia/Shanghai", 1988), ("Europe/Moscow", 2012), ("Europe/Moscow", 2020), ("Europe/Berlin", 2099), ("America/Sao_Paulo", 2010))]
#= [3600.0, 7200.0, -18000.0, 32400.0, 14400.0, 10800.0, 7200.0, -10800.0]

#: zones: equality, texts, and those that are not there | CPython
def f():
    import zoneinfo
    z = zoneinfo.ZoneInfo("Europe/Paris")
    bad = []
    for key in ("Mars/Base", "../etc/passwd", ""):
        try:
            zoneinfo.ZoneInfo(key)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            bad.append(isinstance(error, (KeyError, ValueError, OSError)))
    return [z is zoneinfo.ZoneInfo("Europe/Paris"), str(z), z.key, zoneinfo.ZoneInfo.no_cache("Europe/Paris") is z, bad, "Europe/Paris" in zoneinfo.available_timezones()]
#= [true, "Europe/Paris", "Europe/Paris", false, [true, true, true], true]

#: ISO texts both ways | CPython
def f():
    from datetime import datetime, time, timedelta, timezone
    tz = timezone(timedelta(hours=5, minutes=45), "NPT")
    d = datetime(2024, 1, 2, 3, 4, 5, 678900, tzinfo=tz)
    texts = ["2024-01-02", "2024-01-02T03:04", "2024-01-02 03:04:05.5", "2024-01-02T03:04:05Z", "20240102T030405", "2024-01-02T03:04:05+05:30", "2024-W01-2T03"]
    return [d.isoformat(), d.isoformat(" ", "minutes"), str(tz), d.tzname(), [datetime.fromisoformat(t).isoformat() for t in texts], time.fromisoformat("04:05:06.007").isoformat(), d.timetz().isoformat(), repr(d)]
#= ["2024-01-02T03:04:05.678900+05:45", "2024-01-02 03:04+05:45", "NPT", "NPT", ["2024-01-02T00:00:00", "2024-01-02T03:04:00", "2024-01-02T03:04:05.500000", "2024-01-02T03:04:05+00:00", "2024-01-02T03:04:05", "2024-01-02T03:04:05+05:30", "2024-01-02T03:00:00"], "04:05:06.007000", "03:04:05.678900+05:45", "datetime.datetime(2024, 1, 2, 3, 4, 5, 678900, tzinfo=datetime.timezone(datetime.timedelta(seconds=20700), 'NPT'))"]

#: formats and parsing | CPython
def f():
    from datetime import datetime
    d = datetime(2024, 12, 30, 15, 7, 9, 42)
    bad = []
    for text, layout in (("2024-13-01", "%Y-%m-%d"), ("x", "%H"), ("01 02", "%d")):
        try:
            datetime.strptime(text, layout)
        except ValueError as error:
            bad.append(str(error))
    return [d.strftime("%Y|%y|%m|%d|%H|%I|%p|%M|%S|%f|%j|%a|%b|%G|%V|%u|%%|%x|%X|%c"), str(datetime.strptime("30/Dec/24 03:07 PM", "%d/%b/%y %I:%M %p")), str(datetime.strptime("2024-01-02 +0530", "%Y-%m-%d %z")), str(datetime.strptime("Monday 7 2024", "%A %U %Y")), bad]
#= ["2024|24|12|30|15|03|PM|07|09|000042|365|Mon|Dec|2025|01|1|%|12/30/24|15:07:09|Mon Dec 30 15:07:09 2024", "2024-12-30 15:07:00", "2024-01-02 00:00:00+05:30", "2024-02-19 00:00:00", ["time data '2024-13-01' does not match format '%Y-%m-%d'", "time data 'x' does not match format '%H'", "unconverted data remains:  02"]]

#: moments: timestamps, comparisons, naive against aware | CPython
def f():
    from datetime import date, datetime, timezone
    d = datetime.fromtimestamp(1_700_000_000.5, timezone.utc)
    bad = []
    for action in (lambda: datetime(2024, 1, 1) < d, lambda: datetime(2024, 1, 1) - d, lambda: datetime(2024, 2, 30), lambda: date(2024, 1, 1) < datetime(2024, 1, 1)):
        try:
            action()
        except (TypeError, ValueError) as error:
            bad.append(str(error))
    return [str(d), d.timestamp(), d == datetime(2023, 11, 14, 22, 13, 20, 500000, timezone.utc), datetime(2024, 1, 1) == d, bad, d.date().isoformat(), datetime.combine(date(2024, 1, 1), d.time()).isoformat(), str(datetime.min)]
#= ["2023-11-14 22:13:20.500000+00:00", 1700000000.5, true, false, ["can't compare offset-naive and offset-aware datetimes", "can't subtract offset-naive and offset-aware datetimes", "day is out of range for month", "can't compare datetime.datetime to datetime.date"], "2023-11-14", "2024-01-01T22:13:20.500000", "0001-01-01 00:00:00"]

#: calendars | CPython
def f():
    import calendar
    c = calendar.Calendar(firstweekday=6)
    return [calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.leapdays(2000, 2025), c.monthdayscalendar(2024, 2)[0], calendar.month_name[12], calendar.timegm((2024, 1, 1, 0, 0, 0)), calendar.weekday(2024, 2, 29), calendar.TextCalendar().formatmonth(2024, 2).splitlines()[:3], list(calendar.day_abbr)]
#= [[3, 29], false, 7, [0, 0, 0, 0, 1, 2, 3], "December", 1704067200, 3, ["   February 2024", "Mo Tu We Th Fr Sa Su", "          1  2  3  4"], ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]]

#: working days, quarters and the third Friday | CPython
def f():
    from datetime import date, timedelta
    def workdays(start, n):
        day = start
        while n:
            day += timedelta(days=1)
            n -= day.weekday() < 5
        return day.isoformat()
    def third_friday(year, month):
        first = date(year, month, 1)
        return (first + timedelta(days=(4 - first.weekday()) % 7 + 14)).isoformat()
    return [workdays(date(2024, 5, 31), 3), workdays(date(2024, 12, 20), 10), [third_friday(2024, m) for m in (2, 3, 11)], [(date(2024, m, 1).month - 1) // 3 + 1 for m in (1, 4, 12)], sorted([date(2024, 1, 3), date(2023, 5, 1)])[0].isoformat()]
#= ["2024-06-05", "2025-01-03", ["2024-02-16", "2024-03-15", "2024-11-15"], [1, 2, 4], "2023-05-01"]

#: the functions of time in universal time | CPython
def f():
    import time
    t = time.gmtime(1_709_210_096)
    return [time.strftime("%Y-%m-%d %H:%M:%S", t), t.tm_yday, t.tm_wday, time.asctime(t), time.strptime("29 Feb 24", "%d %b %y")[:3], t[:6], time.gmtime(0).tm_year, time.monotonic() <= time.monotonic(), time.perf_counter_ns() > 0]
#= ["2024-02-29 12:34:56", 60, 3, "Thu Feb 29 12:34:56 2024", [2024, 2, 29], [2024, 2, 29, 12, 34, 56], 1970, true, true]
