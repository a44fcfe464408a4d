"""Reads a lesson's page as a browser would: says of each element that has something to do with scripts or other files."""
import html.parser
import sys

KNOWN = set(
    "html head meta title style body h1 h2 h4 p a code pre strong em ul ol li table tr th td details summary "
    "figure figcaption picture source img dl dt dd".split()
)
OPEN_ENDED = {"meta", "img", "source"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.problems, self.pictures, self.text, self.ids = [], [], [], "", set()
        self.links = []

    def handle_starttag(self, tag, attributes):
        if tag not in KNOWN:
            self.problems.append(f"element {tag}")
        if tag not in OPEN_ENDED:
            self.open.append(tag)
        for name, value in attributes:
            if name.startswith("on") or name == "style":
                self.problems.append(f"attribute {name}")
            if name in ("src", "srcset") and not value.startswith("data:image/"):
                self.problems.append(f"{name} {value}")
            if name == "href":
                self.links.append(value)
                if not value.startswith(("#", "https://", "http://")):
                    self.problems.append(f"href {value}")
            if name == "id":
                self.ids.add(value)
            if name == "src":
                self.pictures.append(value[:30])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"end of {tag}")

    def handle_data(self, data):
        self.text += data


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
page.problems += [f"open {tag}" for tag in page.open]
page.problems += [f"nothing at {link}" for link in page.links if link[0] == "#" and link[1:] not in page.ids]
print("problems:", page.problems)
print("pictures:", page.pictures)
print("links:", [link for link in page.links if link[0] != "#"])
print(page.text)
