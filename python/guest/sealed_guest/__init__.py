"""What runs inside the sealed interpreter whoever embeds it: the driver of a call, and a standard library without an operating system."""
