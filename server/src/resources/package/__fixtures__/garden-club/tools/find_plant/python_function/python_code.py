def find_plant(name: str) -> dict:
    """Finds a plant."""
    return {"name": name}
