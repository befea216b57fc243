"""Settings for instructors who use nbgrader: copy this file to the folder that holds solutions/.

`nbgrader generate_assignment 02_dominators` then makes what `python3 run.py exercises` makes.
"""

c = get_config()  # noqa: F821 (nbgrader gives it)

c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.ClearSolutions.code_stub = {
    "python": "# Your code goes here: write it, and delete the next line.\nraise NotImplementedError()"
}
c.ClearSolutions.text_stub = "*Your answer goes here.*"
