"""URL resolution by every published specification, and explanations of the differences between URL parsers."""

from typing import NamedTuple, Optional, Union

from . import _urlstrata
from ._urlstrata import (
    Array,
    Base,
    RecordBatch,
    ResolutionError,
    WarcLinks,
    __version__,
    engines,
    explain,
    merge_surveys,
    resolve,
    resolve_batch,
    revisions,
    survey_batch,
    warc_links,
)

__all__ = [
    "Array",
    "Base",
    "Link",
    "RecordBatch",
    "ResolutionError",
    "WarcLinks",
    "engines",
    "explain",
    "links",
    "merge_surveys",
    "resolve",
    "resolve_batch",
    "revisions",
    "survey_batch",
    "warc_links",
]


class Link(NamedTuple):
    """A link of a document."""

    #: The line on which the link begins, from 1; 0 in a header field.
    line: int
    #: The construct that contains the link, such as "a href".
    place: str
    #: The base of the part that contains the link; empty if it is unknown.
    base: str
    #: The reference without surrounding white space.
    reference: str
    #: The target; None if the revision defines none.
    url: Optional[str]


def links(
    html: Union[str, bytes],
    base: Optional[str] = None,
    *,
    default_base: Optional[str] = None,
    revision: str = "rfc3986",
    kind: str = "html",
) -> list[Link]:
    """Return the links of a document, in their order.

    html is a text, or bytes whose encoding is detected. base is the URL from which the document was retrieved; a BASE
    element overrides it. default_base is the base if nothing else gives one. kind is "html", "mime" or "text".

    >>> import urlstrata
    >>> urlstrata.links("<a href='../c'>", base="http://a/b/")
    [Link(line=1, place='a href', base='http://a/b/', reference='../c', url='http://a/c')]
    """
    return [Link._make(row) for row in _urlstrata.links(html, base, default_base, revision, kind)]
