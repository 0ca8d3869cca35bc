RETURN_WINDOW_DAYS = 30


def start_return(order_id: str, reason: str) -> dict:
    """Starts the return of a delivered order.

    Args:
        order_id: order number, for example A-1001 (REQUIRED)
        reason: reason for the return, in a few words (REQUIRED)
    """
    order = tools.look_up_order({"order_id": order_id}).json()
    order = order.get("result", order)
    if "error" in order:
        return order
    days = order["days_since_delivery"]
    if days < 0:
        return refused(order_id, "it has not been delivered yet")
    if days > RETURN_WINDOW_DAYS:
        return refused(order_id, f"returns are open for {RETURN_WINDOW_DAYS} days")
    return_id = order["order_id"].replace("A-", "R-")
    return {"return_id": return_id, "reason": reason, "summary": f"Return {return_id} is started. The label is in your mail."}


def refused(order_id: str, why: str) -> dict:
    return {
        "error": f"Order {order_id} cannot be returned: {why}.",
        "agent_action": f'Say: "I am sorry, order {order_id} cannot be returned: {why}."',
    }
