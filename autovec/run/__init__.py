"""The call path: arguments, compiled entries, the visible loop, replay, results."""
