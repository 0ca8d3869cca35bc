RETURN_WINDOW_DAYS = 30


def start_return(order_id: str, reason: str) -> dict:
    """Starts the return of a delivered order and creates its return label.

    Args:
        order_id: order number, for example A-1001 (REQUIRED)
        reason: reason for the return, in a few words (REQUIRED)
    """
    order = tools.look_up_order({"order_id": order_id}).json()
    order = order.get("result", order)
    if "error" in order:
        return order
    days = order.get("days_since_delivery")
    if days is None:
        return refused(order_id, "it has not been delivered yet")
    if days > RETURN_WINDOW_DAYS:
        return refused(order_id, f"it was delivered {days} days ago and returns are open for {RETURN_WINDOW_DAYS} days")
    return_id = order_id.replace("A-", "R-")
    context.state["last_order_id"] = order_id
    context.state["last_return_id"] = return_id
    return {
        "return_id": return_id,
        "order_id": order_id,
        "reason": reason,
        "summary": f"I have started return {return_id} for order {order_id}. The label is in your mail; the refund follows within five days of the parcel's arrival.",
    }


def refused(order_id: str, why: str) -> dict:
    return {
        "error": f"Order {order_id} cannot be returned: {why}.",
        "agent_action": f'Say: "I am sorry, order {order_id} cannot be returned: {why}. Would you like to talk to a person about it?"',
    }
