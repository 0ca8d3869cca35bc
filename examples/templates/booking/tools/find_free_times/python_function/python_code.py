from typing import Literal

FREE = {
    "monday": ["9:00", "11:30"],
    "tuesday": ["14:00"],
    "wednesday": [],
    "thursday": ["10:00", "15:30"],
    "friday": ["9:00"],
}


def find_free_times(day: Literal["monday", "tuesday", "wednesday", "thursday", "friday"]) -> dict:
    """Finds the free times of a day of the week.

    Args:
        day: day of the week (REQUIRED)
    """
    times = FREE.get(day.strip().lower())
    if times is None:
        return {
            "error": f"There are no appointments on {day}.",
            "agent_action": 'Say: "We are here from Monday to Friday. Which day suits you?"',
        }
    if not times:
        return {"day": day, "times": [], "summary": f"On {day} everything is taken."}
    return {"day": day, "times": times, "summary": f"On {day} these times are free: {', '.join(times)}."}
