//! The pages of a WARC file.

use std::io::{Read, Write};

use urlstrata_harness::document::warc::{Records, Warc};
use urlstrata_harness::document::{DocumentError, Event, Reader};
use urlstrata_harness::plural::counted;

use super::Session;
use super::written::Writer;
use crate::cli::Failure;

impl Session<'_> {
    /// Reads a WARC file and writes its pages as parts of one document, each when it has been read. Damaged records are
    /// reported on standard error, and the run continues.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub(super) fn archive<R: Read>(
        &mut self,
        name: &str,
        warc: Result<Warc<R>, String>,
        retrieval: Option<&str>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        writer.document(name, out)?;
        let reader = retrieval.map_or(self.reader, |url| self.reader.retrieved_from(url));
        let error = match warc {
            Err(why) => Some(why),
            Ok(mut warc) => {
                let error = self.pages(&reader, &mut warc, writer, out)?;
                let records = warc.records();
                writer.records(records, out)?;
                error.or_else(|| self.damage(name, records))
            }
        };
        if let Some(why) = &error {
            self.complain(name, why);
        }
        writer.document_end(error.as_deref(), out)?;
        Ok(())
    }

    /// Writes the pages. Returns a sentence if the file cannot be read to its end.
    fn pages<R: Read>(
        &mut self,
        reader: &Reader<'_>,
        warc: &mut Warc<R>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<Option<String>, Failure> {
        for page in warc {
            let page = match page {
                Ok(page) => page,
                Err(error) => return Ok(Some(format!("cannot be read: {error}"))),
            };
            let mut report = |event: Event<'_>| writer.event(reader, event, &mut *out);
            match reader.read_page(&page, &mut report) {
                Ok(()) => {}
                Err(DocumentError::Document(why)) => return Ok(Some(why)),
                Err(DocumentError::Sink(error)) => return Err(Failure::Io(error)),
            }
            self.bar.inc(1);
        }
        Ok(None)
    }

    /// Reports the first damaged records one by one. Returns a sentence about all of them, if there are any.
    fn damage(&mut self, name: &str, records: &Records) -> Option<String> {
        if records.total() == records.damaged {
            return Some("there is no WARC record in it".to_owned());
        }
        for damage in &records.listed {
            self.complain(format!("{name}@{}", damage.offset), &damage.why);
        }
        let damaged = counted(records.damaged, "damaged record is", "damaged records are");
        (records.damaged > 0).then(|| format!("{damaged} skipped"))
    }
}
