"""Keys from which a student's own questions and the graded random instances follow.

(course secret, student, exercise) give the same instance wherever they are worked out: in the notebook handed
out, which holds the student's key, and at grading, which makes the key anew from the secret and the student's id.
A key says nothing about the secret nor about another student's key (HMAC-SHA-256). Without a secret all
students get the published questions.
"""

from __future__ import annotations

import hashlib
import hmac


def student_key(secret: str, student: str) -> str:
    """Return the personal key of a student, empty without a secret.

    >>> student_key("our course", "alice") == student_key("our course", "alice") != student_key("our course", "bob")
    True
    >>> student_key("", "alice")
    ''
    """
    return _mac(secret, f"student {student}") if secret else ""


def course_seed(secret: str) -> str:
    """Return the seed of the random instances that functions are graded on.

    It is the same for everybody, so that equal functions get equal scores, and known to nobody but the course.
    """
    return _mac(secret, "graded") if secret else "graded"


def _mac(secret: str, message: str) -> str:
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()[:24]
