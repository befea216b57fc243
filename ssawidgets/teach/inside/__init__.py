"""What runs beside a student's code: plain data, guarded calls, the process inside the sandbox.

These modules use the standard library and each other, nothing else of the package, because a copy of this
folder is all (with `ssawidgets.ir`) that a sandbox gets to see.
"""
