"""The links of lxml.html as an engine: an <a href=reference> after make_links_absolute(base)."""
import json, sys
from lxml import etree, html

hello = {"protocol": 1, "engine": "lxml", "version": etree.__version__, "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    link = html.Element("a")
    try:
        link.set("href", reference)
    except ValueError as error:
        # The tree itself can not hold such a text, so the link is never asked to resolve.
        print(json.dumps({"id": asked["id"], "unrepresentable": str(error)}), flush=True)
        continue
    try:
        # The base is text here, so an unknown base is the empty text.
        link.make_links_absolute(base)
        answer = {"url": link.get("href")}
    except (ValueError, TypeError, IndexError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
