HOURS = {
    "monday": "closed",
    "tuesday": "10 to 18",
    "wednesday": "10 to 18",
    "thursday": "10 to 18",
    "friday": "10 to 20",
    "saturday": "9 to 16",
    "sunday": "closed",
}


def get_shop_hours(day: str = "") -> dict:
    """Tells when the shop is open: opening hours of one day, or of the whole week.

    Args:
        day: day of the week in English, for example friday; leave it out for the whole week
    """
    asked = day.strip().lower()
    if asked in HOURS:
        return {"day": asked.capitalize(), "opening_hours": HOURS[asked]}
    return {"summary": "The shop is open Tuesday to Thursday from 10 to 18, Friday to 20, Saturday from 9 to 16, and closed on Sunday and Monday."}
