"""What runs inside the sealed guest: the platform's Python classes and globals, and the driver that serves one request at a time."""
