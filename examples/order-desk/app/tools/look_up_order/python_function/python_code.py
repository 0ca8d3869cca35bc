ORDERS = {
    "A-1001": {
        "customer": "Ada Bergmann",
        "items": ["two stoneware mugs", "a tea strainer"],
        "status": "delivered",
        "days_since_delivery": 2,
        "summary": "Order A-1001, two stoneware mugs and a tea strainer, was delivered two days ago and left at the front door.",
    },
    "A-1002": {
        "customer": "Ben Okafor",
        "items": ["a porcelain teapot"],
        "status": "on_its_way",
        "summary": "Order A-1002, a porcelain teapot, is on its way with Blue Parcel and arrives in two days.",
    },
    "A-1003": {
        "customer": "Chloe Marchetti",
        "items": ["six breakfast bowls"],
        "status": "being_packed",
        "summary": "Order A-1003, six breakfast bowls, is being packed and leaves the shop tomorrow.",
    },
    "A-1004": {
        "customer": "Dev Lindqvist",
        "items": ["a glazed vase"],
        "status": "delivered",
        "days_since_delivery": 45,
        "summary": "Order A-1004, a glazed vase, was delivered 45 days ago and signed for by a neighbour.",
    },
}


def look_up_order(order_id: str) -> dict:
    """Looks up where an order is, when it arrives and what is in it.

    Args:
        order_id: order number, for example A-1001 (REQUIRED)
    """
    order = ORDERS.get(order_id)
    if order is None:
        return {
            "error": f"There is no order {order_id}.",
            "agent_action": f'Say: "I could not find an order {order_id}. Order numbers look like A-1001 and stand at the top of your receipt."',
        }
    context.state["last_order_id"] = order_id
    context.state["customer_name"] = order["customer"]
    return {"order_id": order_id, **order}
