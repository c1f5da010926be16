//! WARC and WAT files: the pages that a crawl recorded.
//!
//! A file is read record by record, plain or compressed by member, as crawlers write it. Memory use does not depend on
//! the size of the file or of a record: a page is limited to [`MAX_PAGE`], and nothing else is kept in memory, except
//! that up to 16 MiB of a stream are kept in order to go back. A file is read again instead.
//!
//! # Damage
//!
//! A damaged record is skipped, and every record that is not damaged is found:
//!
//! - In a compressed file, each gzip member has a checksum. A page is returned after the checksum of its member was
//!   compared, if the member contains only this record. After a damaged member, the next member is the next one that
//!   decodes to the start of a record.
//! - A plain file has no checksums, so changed text is read as it is. A record whose header is damaged, or whose length
//!   does not lead to the end of a record, is skipped. The next record is the next version of WARC with a header.
//!
//! The search begins at the damaged record and not where the damage was noticed, since a damaged length can pass over many
//! records. All searches together take time that is linear in the size of the file.
//!
//! # Libraries
//!
//! The crates `warc` 0.4.0 and `fastwarc` 2.0.0 return the records of an undamaged file. Neither continues after damage in
//! a gzip member. `warc` does not return offsets and reads headers of any length into memory; `fastwarc` needs a source that
//! can seek, so it does not read pipes. Therefore this module splits the file into records itself. `flate2` decodes gzip,
//! `httparse` parses the header fields of WARC and HTTP, and `serde_json` parses the records of WAT files.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

mod fields;
mod http;
mod input;
mod page;
mod stream;
mod wat;

use fields::RecordHeader;
use http::Head;
use page::Content;
pub use page::Page;
use stream::{Broken, Stream};

/// The maximum size of a page, in bytes, before and after its content encoding is decoded. Larger pages are counted.
pub const MAX_PAGE: usize = 16 << 20;

/// The number of damaged records that are listed individually. Further ones are only counted.
pub const LISTED: usize = 10;

/// Returns whether a file name has the extension of a WARC or WAT file, also of a compressed one.
pub fn has_ending(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".warc", ".wat"].iter().any(|ending| name.ends_with(ending))
}

/// Returns whether the first bytes of a file are those of a WARC file, or of any gzip file.
pub fn has_start(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WARC/") || bytes.starts_with(&stream::GZIP)
}

/// The place of a record. It is written as `1234`, or as `1234+567` within a gzip member that contains several records.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Offset {
    /// The offset of the record or of its gzip member in the file, in bytes.
    pub file: u64,
    /// The offset of the record in the decoded bytes of its gzip member.
    pub within: u64,
}

impl Records {
    /// Returns the number of all records.
    pub fn total(&self) -> u64 {
        let Self { pages, other, too_long, undecoded, damaged, listed: _ } = self;
        pages + other + too_long + undecoded + damaged
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.within > 0 { write!(f, "+{}", self.within) } else { Ok(()) }
    }
}

/// The numbers of records that were read so far. Each record is counted once.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Records {
    /// HTML pages that were returned.
    pub pages: u64,
    /// Records that are not HTML pages, such as requests and images.
    pub other: u64,
    /// HTML pages longer than [`MAX_PAGE`].
    pub too_long: u64,
    /// HTML pages in a content encoding that cannot be decoded, such as `br`.
    pub undecoded: u64,
    /// Damaged records. Damaged records without an undamaged header between them are counted as one.
    pub damaged: u64,
    /// The first [`LISTED`] damaged records.
    pub listed: Vec<Damage>,
}

/// A damaged record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Damage {
    /// The place of the record.
    pub offset: Offset,
    /// A description of the damage.
    pub why: String,
}

/// A reader of the pages in a WARC or WAT file. It is an iterator of the pages.
///
/// # Examples
///
/// ```
/// use urlstrata_document::warc::Warc;
///
/// let file = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\n\
///     Content-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=g>\r\n\r\n";
/// let mut warc = Warc::new(&file[..]);
/// let page = warc.next().expect("a page")?;
/// assert_eq!((page.url(), page.offset().to_string().as_str()), ("http://a/", "0"));
/// assert!(warc.next().is_none());
/// assert_eq!(warc.records().pages, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Warc<R> {
    stream: Stream<R>,
    records: Records,
    /// The place of the current record.
    offset: Offset,
    /// Whether the current record follows damage, and its own header has not been read yet.
    follows_damage: bool,
    is_over: bool,
}

/// The content of a record.
enum Block {
    Page(Box<Page>),
    Other,
    TooLong,
    Undecoded,
    /// The content is damaged, as this sentence describes. The length of the record is right.
    Damaged(String),
}

impl Warc<File> {
    /// Opens the file at `path`. It must be a regular file, since the reader goes back in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let seek = |file: &mut File, to| file.seek(SeekFrom::Start(to)).map(drop);
        Ok(Self::of(Stream::new(File::open(path)?, Some(seek))))
    }
}

impl<R: Read> Warc<R> {
    /// Creates a reader of a stream, such as standard input.
    ///
    /// After a damaged record longer than 16 MiB, the records within its last 16 MiB are found.
    pub fn new(source: R) -> Self {
        Self::of(Stream::new(source, None))
    }

    fn of(stream: Stream<R>) -> Self {
        let offset = Offset { file: 0, within: 0 };
        Self { stream, records: Records::default(), offset, follows_damage: false, is_over: false }
    }

    /// Returns the numbers of records so far.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Reads the next record. Returns `None` at the end of the file.
    fn record(&mut self) -> Result<Option<Block>, Broken> {
        let Some(offset) = self.stream.begin_record()? else { return Ok(None) };
        self.offset = offset;
        let header = fields::record_header(&mut self.stream)?;
        self.follows_damage = false;
        let block = self.block(&header)?;
        self.end_record()?;
        Ok(Some(block))
    }

    /// Checks that the current record has ended, so that its length is right and its gzip member is undamaged.
    fn end_record(&mut self) -> Result<(), Broken> {
        let has_end = self.stream.skip_line_ends()?;
        let next = self.stream.peek(5)?;
        if has_end || next.is_empty() || next.starts_with(b"WARC/") {
            return Ok(());
        }
        Err("the length of the record does not lead to the end of a record".into())
    }

    /// Reads the content of a record.
    fn block(&mut self, header: &RecordHeader) -> Result<Block, Broken> {
        let mut rest = header.length;
        let head = match header.kind.as_str() {
            "response" if header.is_http() => match http::head(&mut self.stream, &mut rest)? {
                Ok(head) => head.or_identified(header),
                Err(why) => return self.skip(rest, Block::Damaged(why)),
            },
            "resource" => Head::of_resource(header),
            "metadata" if header.is_json() => return self.extracted(header, rest),
            _ => return self.skip(rest, Block::Other),
        };
        let is_html = match head.media_type.as_str() {
            "" => self.begins_like_html(rest)?,
            media_type => matches!(media_type, "text/html" | "application/xhtml+xml"),
        };
        if !is_html {
            return self.skip(rest, Block::Other);
        }
        if !head.can_be_decoded() {
            return self.skip(rest, Block::Undecoded);
        }
        if rest > MAX_PAGE as u64 {
            return self.skip(rest, Block::TooLong);
        }
        let bytes = self.collect(rest)?;
        Ok(match head.decode(bytes) {
            Some(bytes) => Block::Page(Box::new(self.page(header, head, bytes))),
            None => Block::TooLong,
        })
    }

    fn page(&self, header: &RecordHeader, head: Head, bytes: Vec<u8>) -> Page {
        let media_type = if head.media_type.is_empty() { "text/html".to_owned() } else { head.media_type };
        let content = Content::Html { bytes, charset: head.charset };
        Page { offset: self.offset, url: header.url.clone(), media_type, fields: head.fields, content }
    }

    /// Returns whether the content begins with a tag, for a response without a content type.
    fn begins_like_html(&mut self, length: u64) -> Result<bool, Broken> {
        let start = self.stream.peek(1024)?;
        let start = &start[..start.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
        Ok(super::DocumentKind::detect(None, start) == Ok(super::DocumentKind::Html))
    }

    /// Reads the content of a WAT record.
    fn extracted(&mut self, header: &RecordHeader, length: u64) -> Result<Block, Broken> {
        if length > MAX_PAGE as u64 {
            return self.skip(length, Block::TooLong);
        }
        let bytes = self.collect(length)?;
        Ok(match wat::page(&bytes, &header.url, self.offset) {
            Ok(Some(page)) => Block::Page(Box::new(page)),
            Ok(None) => Block::Other,
            Err(error) => Block::Damaged(format!("its JSON cannot be read: {error}")),
        })
    }

    fn skip(&mut self, length: u64, block: Block) -> Result<Block, Broken> {
        self.each_piece(length, |_| {})?;
        Ok(block)
    }

    fn collect(&mut self, length: u64) -> Result<Vec<u8>, Broken> {
        let mut bytes = Vec::new();
        self.each_piece(length, |piece| bytes.extend_from_slice(piece))?;
        Ok(bytes)
    }

    fn each_piece(&mut self, length: u64, mut take: impl FnMut(&[u8])) -> Result<(), Broken> {
        let mut rest = length;
        while rest > 0 {
            let bytes = self.stream.peek(1)?;
            let count = usize::try_from(rest).unwrap_or(usize::MAX).min(bytes.len());
            if count == 0 {
                let end = self.stream.end_name();
                return Err(Broken::Damaged(format!("the {end} ends {rest} bytes before the end of the record")));
            }
            take(&bytes[..count]);
            self.stream.consume(count);
            rest -= count as u64;
        }
        Ok(())
    }

    fn note_damage(&mut self, why: String) {
        self.records.damaged += 1;
        if self.records.listed.len() < LISTED {
            self.records.listed.push(Damage { offset: self.offset, why });
        }
    }

    /// Reads up to the next page. Returns `None` at the end of the file.
    fn next_page(&mut self) -> io::Result<Option<Page>> {
        loop {
            match self.record() {
                Ok(None) => return Ok(None),
                Ok(Some(Block::Page(page))) => {
                    self.records.pages += 1;
                    return Ok(Some(*page));
                }
                Ok(Some(Block::Other)) => self.records.other += 1,
                Ok(Some(Block::TooLong)) => self.records.too_long += 1,
                Ok(Some(Block::Undecoded)) => self.records.undecoded += 1,
                Ok(Some(Block::Damaged(why))) => self.note_damage(why),
                Err(Broken::Unreadable(error)) => return Err(error),
                Err(Broken::Damaged(why)) => {
                    if !self.follows_damage {
                        self.offset = self.stream.origin().max(self.offset);
                        self.note_damage(why);
                    }
                    if !self.stream.recover()? {
                        return Ok(None);
                    }
                    // A member that decodes to the start of a record is certainly one. A line of text may not be.
                    self.follows_damage = !self.stream.is_compressed();
                }
            }
        }
    }
}

impl<R: Read> Iterator for Warc<R> {
    type Item = io::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let page = self.next_page();
        self.is_over = !matches!(page, Ok(Some(_)));
        page.transpose()
    }
}
