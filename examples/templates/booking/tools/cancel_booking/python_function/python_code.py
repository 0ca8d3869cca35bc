def cancel_booking(booking_number: str) -> dict:
    """Cancels a booking.

    Args:
        booking_number: number of the booking, for example B-MON-900 (REQUIRED)
    """
    number = booking_number.strip().upper()
    if not number.startswith("B-"):
        return {
            "error": f"{booking_number} is no booking number.",
            "agent_action": 'Say: "Booking numbers look like B-MON-900. Could you look yours up?"',
        }
    context.state["booking_number"] = ""
    return {"booking_number": number, "summary": f"Booking {number} is cancelled."}
