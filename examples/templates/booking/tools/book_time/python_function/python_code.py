from typing import Literal


def book_time(day: Literal["monday", "tuesday", "wednesday", "thursday", "friday"], time: Literal["9:00", "10:00", "11:30", "14:00", "15:30"], name: str) -> dict:
    """Books an appointment for a customer.

    Args:
        day: day of the week (REQUIRED)
        time: hour (REQUIRED)
        name: name of the customer, for example Ada Bergmann (REQUIRED)
    """
    found = tools.find_free_times({"day": day}).json()
    found = found.get("result", found)
    if time not in found.get("times", []):
        return {
            "error": f"{time} on {day} is not free.",
            "agent_action": f'Say: "{time} on {day} is not free. Shall I look for another time?"',
        }
    number = f"B-{day[:3].upper()}-{time.replace(':', '')}"
    context.state["booking_number"] = number
    context.state["customer_name"] = name
    return {
        "booking_number": number,
        "summary": f"{name}, you have an appointment on {day} at {time}. Your booking number is {number}.",
    }
