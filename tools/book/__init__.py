"""The static book: every chapter as a page that plays without a kernel and without a network.

    python3 run.py book                         into book/
    python3 run.py book OUT --chapters 02 03    some chapters only

The prose and the pictures are those stored in the notebooks. What plays (steppers, questions, the Studio) is recorded by
running each notebook once, with `live` in its kernel; it is shown by the widgets' own scripts, the same files, joined
into one classic script (a page opened from a file may load neither modules nor data). In the place of the kernel stands
`static/answers.js`, which compares what a reader picks with what Python worked out beforehand. Without scripts, and in
print, a picture stands where something would play.

It is a tool of the repository and no part of the package: it is made from `notebooks/`, and needs nbconvert's
libraries (mistune, Pygments, Jinja), which come with JupyterLab.

`running` executes, `live` describes what is shown, `prose` turns Markdown into HTML, `figures` takes pictures into a page,
`pages` writes a chapter, `scripts` joins scripts and styles.
"""
