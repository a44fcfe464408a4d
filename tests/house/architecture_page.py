"""What resources/docs/architecture.md claims: its table has one row per folder of check_house's floors, in their order;
in core nothing is thrown or exits, and colours are only in the palettes of pictures."""
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "resources/docs/architecture.md"
BEGIN, END = "<!-- floors -->\n", "<!-- /floors -->\n"
ROW = re.compile(r"^\| (\d+) \| `([\w/]+)` \| (.*?) *\|$", re.M)

# Files of core that may have it all the same.
THROWS = {"core/engine/LineSearch.cpp"}  # stops std::regex, and catches it in the same function
PALETTES = {"Palette.cpp", "Palette.h", "PictureColors.h"}


def check_claims(files):
    for path in files:
        if path.parts[0] != "core" or path.suffix not in (".h", ".cpp"):
            continue
        text = (PAGE.parents[2] / path).read_text(errors="replace")
        code = re.sub(r"//.*", "", text)
        if re.search(r"\bthrow\b", code) and str(path) not in THROWS:
            yield f"{path} throws: errors in core are values"
        if re.search(r"(?<![\w.>:])(std::)?exit\(", code):
            yield f"{path} calls exit: only programs end the process"
        if re.search(r'"#[0-9a-fA-F]{6}"', code) and path.name not in PALETTES:
            yield f"{path} has a colour: core sends meaning, and pictures have their palettes"


def wanted_rows(floors):
    return [(number, folder) for number, row in enumerate(floors, 1) for folder in row]


def read_table():
    """The table's text, and what it says of each folder."""
    text = PAGE.read_text()
    if BEGIN not in text or END not in text:
        return None, {}
    table = text.split(BEGIN)[1].split(END)[0]
    return table, {folder: (int(number), meaning) for number, folder, meaning in ROW.findall(table)}


def check_page(floors):
    table, rows = read_table()
    if table is None:
        yield f"{PAGE.name} has no lines '{BEGIN.strip()}' and '{END.strip()}' around the table of folders"
        return
    wanted = wanted_rows(floors)
    if [(number, folder) for folder, (number, _) in rows.items()] != wanted:
        yield "the table of folders in resources/docs/architecture.md is not that of the floors: run check_house.py --update"
    for _, folder in wanted:
        if folder in rows and not rows[folder][1]:
            yield f"{folder} has no description in resources/docs/architecture.md"
        if not (PAGE.parents[2] / folder).is_dir():
            yield f"{folder} has a floor, and is no folder"


def update_page(floors):
    """Writes the rows of the floors; descriptions of known folders stay."""
    text = PAGE.read_text()
    _, rows = read_table()
    table = "| floor | folder | contents |\n|---|---|---|\n"
    for number, folder in wanted_rows(floors):
        table += f"| {number} | `{folder}` | {rows.get(folder, (0, ''))[1]} |\n"
    PAGE.write_text(text.split(BEGIN)[0] + BEGIN + table + END + text.split(END)[1])
