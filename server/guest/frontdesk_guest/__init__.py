"""What Python written for CX Agent Studio finds in the guest: the platform's classes and globals. The rest is sealed_guest's."""
