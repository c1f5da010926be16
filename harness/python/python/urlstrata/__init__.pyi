from collections.abc import Iterable
from os import PathLike
from typing import Any, NamedTuple, Optional, Protocol, Union, final

__version__: str

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

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

_Arrow = Union[_ArrowArray, _ArrowStream]

class ResolutionError(ValueError): ...

def resolve(base: str, reference: str, revision: str = "rfc3986") -> str: ...

@final
class Base:
    def __new__(cls, base: str, revision: str = "rfc3986") -> Base: ...
    @property
    def base(self) -> str: ...
    @property
    def revision(self) -> str: ...
    def resolve(self, reference: str) -> str: ...
    def resolve_many(self, references: Iterable[str]) -> list[Optional[str]]: ...

def explain(
    base: str,
    reference: str,
    engines: Optional[list[str]] = None,
    revisions: Optional[list[str]] = None,
    *,
    predicted: bool = False,
    trace: bool = False,
) -> dict[str, Any]: ...
def revisions() -> list[str]: ...
def engines() -> list[str]: ...

class Link(NamedTuple):
    line: int
    place: str
    base: str
    reference: str
    url: Optional[str]

def links(
    html: Union[str, bytes],
    base: Optional[str] = None,
    *,
    default_base: Optional[str] = None,
    revision: str = "rfc3986",
    kind: str = "html",
) -> list[Link]: ...

@final
class Array:
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Optional[str]: ...
    @property
    def null_count(self) -> int: ...
    def to_pylist(self) -> list[Optional[str]]: ...

@final
class RecordBatch:
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def to_pylist(self) -> list[dict[str, Any]]: ...
    def to_pydict(self) -> dict[str, list[Any]]: ...

def resolve_batch(
    batch: _Arrow, revision: str = "rfc3986", base: str = "base", reference: str = "reference"
) -> Array: ...
def survey_batch(
    batch: _Arrow,
    engine: str = "crate:url",
    revision: str = "rfc3986",
    history: bool = False,
    base: str = "base",
    reference: str = "reference",
) -> RecordBatch: ...
def merge_surveys(batches: Union[_Arrow, Iterable[_Arrow]]) -> RecordBatch: ...

@final
class WarcLinks:
    def __iter__(self) -> WarcLinks: ...
    def __next__(self) -> RecordBatch: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    @property
    def records(self) -> dict[str, Any]: ...

def warc_links(
    path: Union[str, PathLike[str]], revision: str = "rfc3986", batch_size: int = 65536
) -> WarcLinks: ...
