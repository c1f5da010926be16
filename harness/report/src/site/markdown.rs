//! Markdown pages of the reports as HTML.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

/// A page as HTML.
pub(super) struct Converted {
    /// The first heading as text.
    pub(super) title: String,
    /// The content of the page.
    pub(super) body: String,
}

/// Returns the file name of the HTML page for a file of the reports; `None` if there is none.
pub(super) fn html_name(name: &str) -> Option<String> {
    match name {
        "README.md" => Some("report.html".to_owned()),
        name => Some(format!("{}.html", name.strip_suffix(".md")?)),
    }
}

/// Returns whether a file of the reports is part of the site as it is.
pub(super) fn is_copied(name: &str) -> bool {
    name.ends_with(".svg") || name.ends_with(".json")
}

/// Converts the page `name`. Links to other pages lead to their HTML pages. Of links to files that are not among `names`, only
/// the text remains. HTML other than line breaks is shown as text.
pub(super) fn convert(markdown: &str, name: &str, names: &[&str]) -> Converted {
    let events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut slugs = Slugs::default();
    let mut title = String::new();
    let mut label = String::new();
    let mut converted = Vec::new();
    // Whether each open link has a target.
    let mut links = Vec::new();
    let mut index = 0;
    while index < events.len() {
        let event = events[index].clone();
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                label = text_of(&events[index..]);
                if title.is_empty() {
                    title.clone_from(&label);
                }
                let id = Some(CowStr::from(slugs.of(&label)));
                converted.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
            }
            Event::Start(Tag::Table(alignment)) => {
                let region = format!(
                    "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">",
                    super::escaped(&label)
                );
                converted.push(Event::Html(region.into()));
                converted.push(Event::Start(Tag::Table(alignment)));
            }
            Event::End(TagEnd::Table) => {
                converted.push(Event::End(TagEnd::Table));
                converted.push(Event::Html("</div>".into()));
            }
            // A table without headings. The row remains, because the writer counts on it.
            Event::Start(Tag::TableHead) if text_of(&events[index..]).is_empty() => {
                converted.push(Event::Start(Tag::TableHead));
                let cells = events[index..].iter().take_while(|event| **event != Event::End(TagEnd::TableHead));
                // The end of the head is the next event.
                index += cells.count() - 1;
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(&dest_url, name, names);
                links.push(target.is_some());
                if let Some(target) = target {
                    converted.push(Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    converted.push(Event::End(TagEnd::Link));
                }
            }
            Event::InlineHtml(html) | Event::Html(html) if !html.eq_ignore_ascii_case("<br>") && !is_fold(&html) => {
                converted.push(Event::Text(html));
            }
            Event::Text(text) if text.contains("https://") && links.is_empty() => push_linked(&text, &mut converted),
            event => converted.push(event),
        }
        index += 1;
    }
    let mut body = String::new();
    html::push_html(&mut body, converted.into_iter());
    Converted { title, body }
}

/// Returns whether `html` is a line that begins or ends folded text, or its summary.
fn is_fold(html: &str) -> bool {
    let line = html.trim();
    let summary = line.strip_prefix("<summary>").and_then(|rest| rest.strip_suffix("</summary>"));
    ["<details>", "</details>"].contains(&line) || summary.is_some_and(|text| !text.contains(['<', '&']))
}

/// Appends a text whose addresses become links.
fn push_linked(text: &str, events: &mut Vec<Event<'_>>) {
    let mut rest = text;
    while let Some(at) = rest.find("https://") {
        let (before, address) = rest.split_at(at);
        let end = address.find(char::is_whitespace).unwrap_or(address.len());
        let address = address[..end].trim_end_matches(['.', ',', ')', ';', ':']);
        events.push(Event::Text(before.to_owned().into()));
        let [dest_url, shown] = [(); 2].map(|()| CowStr::from(address.to_owned()));
        events.push(Event::Start(Tag::Link {
            link_type: LinkType::Autolink,
            dest_url,
            title: "".into(),
            id: "".into(),
        }));
        events.push(Event::Text(shown));
        events.push(Event::End(TagEnd::Link));
        rest = &rest[at + address.len()..];
    }
    events.push(Event::Text(rest.to_owned().into()));
}

/// Returns the address of the HTML page for a link on the page `name`; `None` if the page does not exist.
fn target(address: &str, name: &str, names: &[&str]) -> Option<String> {
    if address.contains("://") || address.starts_with('#') {
        return Some(address.to_owned());
    }
    let (path, fragment) = address.split_once('#').map_or((address, None), |(path, fragment)| (path, Some(fragment)));
    // Pages are in the root or in one folder.
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = match path.strip_prefix("../") {
        Some(path) => path.to_owned(),
        None if folder.is_empty() => path.to_owned(),
        None => format!("{folder}/{path}"),
    };
    if !names.contains(&file.as_str()) {
        return None;
    }
    let (above, last) = path.rsplit_once('/').map_or(("", path), |(above, last)| (above, last));
    let page = if is_copied(last) { last.to_owned() } else { html_name(last)? };
    let separator = if above.is_empty() { "" } else { "/" };
    let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    Some(format!("{above}{separator}{page}{fragment}"))
}

/// Returns the text of the element that begins with the first event.
fn text_of(events: &[Event<'_>]) -> String {
    let mut depth = 0;
    let mut text = String::new();
    for event in events {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(part) | Event::Code(part) => text.push_str(part),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    text
}

/// The ids of headings, formed as GitHub does: in lower case, with hyphens for spaces and without punctuation.
#[derive(Default)]
struct Slugs(BTreeMap<String, usize>);

impl Slugs {
    fn of(&mut self, heading: &str) -> String {
        let kept = |c: char| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c => c.is_alphanumeric().then_some(c),
        };
        let slug: String = heading.to_lowercase().chars().filter_map(kept).collect();
        let number = self.0.entry(slug.clone()).or_default();
        *number += 1;
        if *number == 1 { slug } else { format!("{slug}-{}", *number - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::convert;

    fn body(markdown: &str) -> String {
        convert(markdown, "engines/a.md", &["README.md", "rules.md", "report.json", "engines/b.md"]).body
    }

    #[test]
    fn links_lead_to_html_pages() {
        assert_eq!(body("[x](../README.md#y)"), "<p><a href=\"../report.html#y\">x</a></p>\n");
        assert_eq!(body("[x](../report.json)"), "<p><a href=\"../report.json\">x</a></p>\n");
        assert_eq!(body("[x](b.md)"), "<p><a href=\"b.html\">x</a></p>\n");
        assert_eq!(body("[x](missing.md)"), "<p>x</p>\n");
        assert_eq!(body("[x](https://a.example/)"), "<p><a href=\"https://a.example/\">x</a></p>\n");
    }

    #[test]
    fn html_is_text_except_line_breaks() {
        assert_eq!(body("a<br><b>"), "<p>a<br>&lt;b&gt;</p>\n");
        assert_eq!(body("<script>x</script>"), "&lt;script&gt;x&lt;/script&gt;");
    }

    #[test]
    fn headings_have_the_ids_of_github() {
        let found = convert("# A `b_c` d!\n\n# A `b_c` d!", "a.md", &[]);
        assert_eq!(found.title, "A b_c d!");
        assert_eq!(
            found.body,
            "<h1 id=\"a-b_c-d\">A <code>b_c</code> d!</h1>\n<h1 id=\"a-b_c-d-1\">A <code>b_c</code> d!</h1>\n"
        );
    }

    #[test]
    fn tables_scroll_and_empty_headings_are_left_out() {
        let html = body("| | |\n| --- | --- |\n| a | b |\n");
        assert!(html.starts_with("<div class=\"table\" role=\"region\" tabindex=\"0\""), "{html}");
        assert!(!html.contains("<th>") && html.contains("<td>a</td>"), "{html}");
    }
}
