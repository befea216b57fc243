"""Commands for programs in files and pipes: `python -m ssawidgets bril` and `show`."""
