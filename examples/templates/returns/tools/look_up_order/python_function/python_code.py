ORDERS = {
    "A-1001": {"item": "a teapot", "days_since_delivery": 2},
    "A-1002": {"item": "six bowls", "days_since_delivery": 45},
    "A-1003": {"item": "a vase", "days_since_delivery": -1},
}


def look_up_order(order_id: str) -> dict:
    """Looks up where an order is and what is in it.

    Args:
        order_id: order number, for example A-1001 (REQUIRED)
    """
    number = order_id.strip().upper()
    order = ORDERS.get(number)
    if order is None:
        return {
            "error": f"There is no order {order_id}.",
            "agent_action": f'Say: "I could not find an order {order_id}. Order numbers look like A-1001."',
        }
    context.state["order_id"] = number
    days = order["days_since_delivery"]
    where = "is on its way" if days < 0 else f"was delivered {days} days ago"
    return {"order_id": number, "days_since_delivery": days, "summary": f"Order {number}, {order['item']}, {where}."}
