"""Draws the picture of each lesson that comes with the program again, as the picture itself says that it was made, and
compares. Arguments: the folder of the lessons."""
import html
import pathlib
import re
import subprocess
import sys

for lesson in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    text = (lesson / "picture.svg").read_text(encoding="utf-8")
    tile = re.search(r"<desc>fuselage lesson picture(?: --tile (.*))?</desc>", text)[1]
    command = ["fuselage", "lesson", "picture", str(lesson)]
    if tile:
        command += ["--tile", html.unescape(tile)]
    drawn = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    same = "as drawn" if drawn == text else "differs; ./dev screenshots draws it again"
    print(f"{lesson.name}: {same}")
