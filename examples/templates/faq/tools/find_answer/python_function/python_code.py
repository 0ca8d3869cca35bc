from typing import Literal

ANSWERS = {
    "opening hours": "We are open Monday to Friday from 9 to 18, and Saturday from 10 to 14.",
    "delivery": "A parcel takes three working days. Delivery is free from an order value of 50.",
    "payment": "You can pay by card, by invoice or by bank transfer.",
    "contact": "Write to help@shop.example, or come by: we are at the market square.",
}


def find_answer(topic: Literal["opening hours", "delivery", "payment", "contact"]) -> dict:
    """Finds the answer to a question about opening hours, delivery, payment or contact.

    Args:
        topic: what the question is about (REQUIRED)
    """
    answer = ANSWERS.get(topic)
    if answer is None:
        return {
            "error": f"The list has no answer about {topic}.",
            "agent_action": f'Say: "I have no answer to that. I know about {", ".join(ANSWERS)}."',
        }
    return {"topic": topic, "summary": answer}
