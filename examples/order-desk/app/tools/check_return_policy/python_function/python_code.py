def check_return_policy() -> dict:
    """Tells the return policy: how many days a return is open, who pays the postage, how long the refund takes."""
    return {
        "return_window": "30 days from delivery",
        "condition": "unused, or damaged on arrival",
        "return_postage": "paid by the shop",
        "refund": "to the card or account you paid with, within five days",
    }
