//! The reports. All results are computed into one value, which templates render as Markdown pages. It can be written as JSON,
//! too.

use serde::Serialize;
use serde_json::Value;
use urlstrata::characters::ALL;
use urlstrata::revision::{self, RemarkKind};
use urlstrata::rules;

use urlstrata_harness::engine::Engine as _;
use urlstrata_harness::evaluate::characters::{self, AlphabetRow, CharacterRow, MoveRow};
use urlstrata_harness::explain::Explanation;
use urlstrata_harness::knowledge::known;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES};
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::advisories::{self, AdvisoryRow};
use urlstrata_harness::survey::clients::ClientSurvey;
use urlstrata_harness::survey::comparison::{Comparison, Totals};
use urlstrata_harness::survey::enumerate::{History, Scope, history};
use urlstrata_harness::survey::frequency;
use urlstrata_harness::survey::schemes::{Survey, survey};
use urlstrata_harness::survey::statements::StatementSurvey;
use urlstrata_harness::survey::validity::{self, Axes};
use urlstrata_harness::vector::coverage::{self, ProductionCoverage, StepCoverage};
use urlstrata_harness::vector::{Expected, Suite};
use urlstrata_harness::world::World;

mod answers;
mod cache;
mod changes;
mod engines;
mod family;
mod grid_picture;
mod head;
mod hosts;
mod missed;
mod page;
mod recorded;
mod rows;
mod rule_table;
mod site;
mod threads;

pub use cache::Cache;
use changes::StateRow;
use engines::{EngineReport, Grid};
use hosts::HostReport;
use recorded::RecordedEngines;
use site::{Playground, VectorPage};

/// The maximum length of a reference in the report's enumeration of revisions.
const HISTORY_LENGTH: usize = 4;

/// The base and the reference of the example on the first page.
const SHOWCASE: (&str, &str) = ("http://www.victim.com/login", "///evil.com");

/// The panel of the clients of 1997.
const FIELDING: &str = "fielding-1997.tsv";

/// The finished reports.
pub struct Pages {
    /// The file name and the text of each page.
    pub pages: Vec<(String, String)>,
    /// All results as JSON, if they were requested.
    pub json: Option<String>,
    /// A summary in one line.
    pub answer: String,
    /// The files of the site: the name and the content of each. Empty unless they were requested.
    pub site: Vec<(String, String)>,
    /// The number of internal failures: expectations that a reference implementation does not meet, and disagreements
    /// between the optimized engine and a reference implementation.
    pub internal_failures: u64,
}

#[derive(Serialize)]
struct Report {
    totals: Sums,
    showcase: Explanation,
    revisions: Vec<RevisionRow>,
    sources: Vec<SourceRow>,
    fielding: Vec<FieldingRow>,
    clients: Vec<ClientRow>,
    /// Each engine that is not part of this project: its nearest specification, and its deviations.
    engines: Vec<EngineReport>,
    /// The values of these engines for the settings in which they differ from RFC 3986.
    grid: Grid,
    /// The engines that see different hosts in the same URLs.
    hosts: HostReport,
    /// What libraries state about URLs.
    statements: StatementSurvey,
    /// Where clients connect.
    connections: ClientSurvey,
    /// Public security advisories.
    advisories: Vec<AdvisoryRow>,
    history: History,
    /// Each revision compared with the next one, on links of documentation.
    frequency: Vec<Comparison>,
    history_length: usize,
    rules: Vec<RuleRow>,
    /// The references that each grammar matches, compared with those that each engine accepts.
    validity: Vec<Axes>,
    validity_base: &'static str,
    productions: Vec<ProductionCoverage>,
    steps: Vec<StepCoverage>,
    marks: Vec<MarkRow>,
    /// The dated states of the URL Standard, with the changes between them.
    url_standard: Vec<StateRow>,
    /// The character classes of each specification, and the characters whose status changed.
    characters: Characters,
    /// RFC 1738's schemes over the URLs of the vectors.
    schemes: Survey,
    /// The recorded engines of all languages.
    recorded: RecordedEngines,
}

#[derive(Serialize)]
struct Characters {
    specifications: Vec<AlphabetRow>,
    table: Vec<CharacterRow>,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct Sums {
    vectors: usize,
    expectations: u64,
    met: u64,
    internal_failures: u64,
    steps: usize,
    steps_reached: usize,
    rules: usize,
    choices: usize,
    errata: usize,
    /// The number of results of all engines that are compared with specifications, on the vectors and on short pairs.
    compared: u64,
    /// The number of divergences of all engines from all specifications among them.
    divergences: u64,
    /// The number of these divergences without a cause in the engine's behaviour. It is the number in the headline.
    unexplained: u64,
}

#[derive(Serialize)]
struct RevisionRow {
    id: &'static str,
    specification: &'static str,
    date: &'static str,
    sections: &'static str,
    /// Whether the revision defines how references are resolved, so that engines are compared with it.
    resolves: bool,
    expectations: u64,
    met: u64,
    /// The number of expectations for which the specification prints another result, each explained by an erratum.
    errata: u64,
    steps: usize,
    steps_reached: usize,
}

#[derive(Serialize)]
struct SourceRow {
    file: String,
    specification: String,
    section: String,
    title: String,
    reconstructed: bool,
    vectors: usize,
    expectations: u64,
    met: u64,
}

/// The results of a revision in Fielding's test pages.
#[derive(Serialize)]
struct FieldingRow {
    revision: &'static str,
    rows: u64,
    met: u64,
    /// The number of these rows that print "(current document)" instead of a URL.
    current_document: u64,
}

/// A client of 1997, as recorded in Fielding's test pages.
#[derive(Serialize)]
struct ClientRow {
    client: String,
    rows: u64,
    /// The number of rows for which each revision has the same result as the client.
    alike: Vec<(&'static str, u64)>,
}

#[derive(Serialize)]
struct RuleRow {
    name: &'static str,
    question: &'static str,
    settings: Vec<AnswerRow>,
}

#[derive(Serialize)]
struct AnswerRow {
    name: &'static str,
    note: &'static str,
    sources: Vec<&'static str>,
    revisions: Vec<&'static str>,
}

#[derive(Serialize)]
struct MarkRow {
    kind: &'static str,
    revision: &'static str,
    id: &'static str,
    open: &'static str,
    decision: &'static str,
    because: &'static str,
}

/// A part of the computation.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// A stage begins, with this name and this number of engines.
    Stage(&'static str, u64),
    /// One of the engines of the stage is done.
    Done,
}

/// What is rendered in addition to the pages, and how.
pub struct Request<'a> {
    /// The site, with these parts.
    pub site: Option<SiteParts>,
    /// All results as JSON.
    pub json: bool,
    /// Results of earlier runs. Those that are still valid are not computed again.
    pub cache: Cache,
    /// Receives the progress, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self { site: None, json: false, cache: Cache::default(), progress: &|_| () }
    }
}

/// What a site contains in addition to the reports.
#[derive(Debug, Default)]
pub struct SiteParts {
    /// The WebAssembly module of the package `urlstrata-playground`. Without it the site has no playground.
    pub playground: Option<Vec<u8>>,
    /// The Markdown page of the fuzz campaigns, which another program writes to the folder of the reports.
    pub campaign: Option<String>,
}

/// Returns the file names of the pages that [`write()`] renders. Nothing is computed.
///
/// # Errors
///
/// Returns a sentence if the engine folders cannot be read.
pub fn names(world: &World) -> Result<Vec<String>, String> {
    let folders = world.folders().map_err(|error| error.to_string())?;
    let engines: Vec<_> = world.engines.iter().map(|engine| engines::page_of(engine.as_ref())).collect();
    Ok(page::names(&engines, folders.engines.iter().map(|engine| engine.name.as_str())))
}

/// Computes all results and renders the pages, and what `request` asks for.
///
/// # Errors
///
/// Returns a sentence if the vectors are invalid, nothing is known of an engine, or a page cannot be rendered.
pub fn write(world: &World, request: &Request<'_>) -> Result<Pages, String> {
    let report = compute(world, request)?;
    let names: Vec<_> = report.engines.iter().map(|engine| engine.page.as_str()).collect();
    let recorded: Vec<_> = report.recorded.names().collect();
    let mut pages = page::lay_out(&report, &names, &recorded)?;
    let json = if request.json || request.site.is_some() { Some(json_of(&report)?) } else { None };
    pages.push(("family.svg".to_owned(), report.recorded.family.clone()));
    pages.push(("grid.svg".to_owned(), report.recorded.grid()));
    let mut pages = Pages {
        pages,
        json,
        answer: answer(&report),
        site: Vec::new(),
        internal_failures: report.totals.internal_failures + report.history.disagreeing,
    };
    if let Some(parts) = &request.site {
        let suite = world.suite().map_err(|error| error.to_string())?;
        let playground = parts.playground.as_deref().map(|module| Playground::new(world, module)).transpose()?;
        let campaign = parts.campaign.as_deref();
        pages.site = site::render(&report, &pages, &VectorPage::all(world, suite), playground.as_ref(), campaign)?;
    }
    Ok(pages)
}

fn json_of(report: &Report) -> Result<String, String> {
    let value = serde_json::to_value(report).map_err(|error| error.to_string())?;
    let mut text = String::new();
    push_json(&value, 0, &mut text);
    Ok(text + "\n")
}

/// Appends `value` as JSON that changes by lines: a value that fits on a line is on one line, and a longer list or object has a line
/// for each of its elements. Texts are never broken.
fn push_json(value: &Value, indent: usize, out: &mut String) {
    const WIDEST: usize = 200;
    let line = value.to_string();
    let (open, elements, close): (_, Vec<(String, &Value)>, _) = match value {
        Value::Array(values) if line.len() > WIDEST => {
            ('[', values.iter().map(|value| (String::new(), value)).collect(), ']')
        }
        Value::Object(entries) if line.len() > WIDEST => {
            ('{', entries.iter().map(|(key, value)| (format!("{}: ", Value::from(key.as_str())), value)).collect(), '}')
        }
        _ => return out.push_str(&line),
    };
    out.push(open);
    for (index, (key, value)) in elements.into_iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.extend(std::iter::repeat_n(' ', indent + 2));
        out.push_str(&key);
        push_json(value, indent + 2, out);
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    out.push(close);
}

fn answer(report: &Report) -> String {
    let Sums { expectations, met, steps, steps_reached, unexplained, .. } = report.totals;
    format!(
        "{met} of {expectations} expectations met, {steps_reached} of {steps} steps reached, {} on {}; {}, {} unexplained",
        counted(report.history.disagreeing, "disagreement", "disagreements"),
        counted(report.history.pairs, "pair", "pairs"),
        counted(report.engines.len(), "engine", "engines"),
        counted(unexplained, "divergence", "divergences")
    )
}

fn compute(world: &World, request: &Request<'_>) -> Result<Report, String> {
    let suite = world.suite().map_err(|error| error.to_string())?;
    let steps = coverage::measure(suite);
    let (sources, revisions) = tables(suite, &steps);
    let scope =
        |length| Scope { alphabet: ALPHABET.chars().collect(), length, bases: BASES.map(str::to_owned).to_vec() };
    let reports = engines::report(world, suite, &scope(known::SHORT_LENGTH), request)?;
    let marks: Vec<_> = revision::ALL.iter().copied().flat_map(marks_of).collect();
    let expectations = revisions.iter().map(|row| row.expectations).sum();
    let met = revisions.iter().map(|row| row.met).sum();
    let mut totals = Totals::default();
    reports.iter().flat_map(EngineReport::totals).for_each(|of_engine| totals.add(of_engine));
    let of_kind = |kind| marks.iter().filter(|mark| mark.kind == kind).count();
    let (statements, connections) = about_urls(world)?;
    Ok(Report {
        totals: Sums {
            vectors: suite.vectors().count(),
            expectations,
            met,
            internal_failures: expectations - met,
            steps: steps.len(),
            steps_reached: steps.iter().filter(|step| step.is_reached()).count(),
            rules: rules::ALL.len(),
            choices: of_kind("choice"),
            errata: of_kind("erratum"),
            compared: totals.cases,
            divergences: totals.cases - totals.agree,
            unexplained: totals.cases - totals.agree - totals.explained - totals.predicted,
        },
        showcase: Explanation::of(world, SHOWCASE.0, SHOWCASE.1),
        fielding: fielding(suite),
        clients: clients(world)?,
        revisions,
        sources,
        grid: Grid::of(world),
        hosts: HostReport::of(world, request.json || request.site.is_some())?,
        statements,
        connections,
        advisories: advisories::rows(world)?,
        engines: reports,
        history: history(&scope(HISTORY_LENGTH), &|_| ())?,
        history_length: HISTORY_LENGTH,
        frequency: frequency::on_documentation()?,
        rules: rule_rows(),
        validity: validity::measure(suite, &world.engines),
        validity_base: validity::BASE,
        productions: coverage::productions(suite),
        steps,
        marks,
        url_standard: changes::states(&world.engines),
        characters: Characters {
            specifications: characters::alphabets(ALL),
            table: characters::table(&[], &ALL.iter().collect::<Vec<_>>()),
            moves: characters::moves(&[]),
        },
        schemes: survey(suite),
        recorded: RecordedEngines::of(world, suite, request)?,
    })
}

/// Returns what the crates in this process and the recorded libraries state about URLs, and where the recorded clients connect.
fn about_urls(world: &World) -> Result<(StatementSurvey, ClientSurvey), String> {
    let splitting = world.engines_without_results().map_err(|error| error.to_string())?;
    let all: Vec<_> = world.engines.iter().chain(&world.others).chain(&splitting).map(AsRef::as_ref).collect();
    Ok((StatementSurvey::of(&all, STATEMENTS), ClientSurvey::of(&all, CONNECTIONS)))
}

/// The number of URLs of each danger on the page of clients.
const CONNECTIONS: usize = 25;

/// The number of URLs of each kind on the page of statements.
const STATEMENTS: usize = 25;

/// Returns, for each file of vectors and for each revision, the number of expectations and how many of them are met.
fn tables(suite: &Suite, steps: &[StepCoverage]) -> (Vec<SourceRow>, Vec<RevisionRow>) {
    let mut revisions: Vec<_> = revision::ALL
        .iter()
        .map(|revision| {
            let own = || steps.iter().filter(|step| step.revision == revision.id);
            RevisionRow {
                id: revision.id,
                specification: revision.specification,
                date: revision.date,
                sections: revision.sections,
                resolves: Specification::of(revision).is_some(),
                expectations: 0,
                met: 0,
                errata: 0,
                steps: own().count(),
                steps_reached: own().filter(|step| step.is_reached()).count(),
            }
        })
        .collect();
    let mut sources = Vec::new();
    for file in &suite.files {
        let (mut expectations, mut met) = (0, 0);
        for vector in &file.content.vectors {
            for id in vector.specifications() {
                let Some(row) = revisions.iter_mut().find(|row| row.id == id) else { continue };
                let fits = u64::from(vector.evaluate(id).is_ok());
                row.expectations += 1;
                row.met += fits;
                row.errata += u64::from(vector.erratum.is_some());
                expectations += 1;
                met += fits;
            }
        }
        let source = &file.content.source;
        sources.push(SourceRow {
            file: file.id.clone(),
            specification: source.specification.clone(),
            section: source.section.clone(),
            title: source.title.clone(),
            reconstructed: source.reconstructed,
            vectors: file.content.vectors.len(),
            expectations,
            met,
        });
    }
    (sources, revisions)
}

fn fielding(suite: &Suite) -> Vec<FieldingRow> {
    let of_revision = |revision: &'static revision::Revision| {
        let mut row = FieldingRow { revision: revision.id, rows: 0, met: 0, current_document: 0 };
        for (_, vector) in suite.vectors().filter(|(file, _)| file.id.starts_with("history/fielding-")) {
            let Some(expected) = vector.resolution().and_then(|case| case.expect.get(revision.id)) else { continue };
            row.rows += 1;
            row.met += u64::from(vector.evaluate(revision.id).is_ok());
            let current = matches!(expected, Expected::Url { same_document: Some(true), .. });
            row.current_document += u64::from(current);
        }
        row
    };
    revision::ALL.iter().copied().map(of_revision).filter(|row| row.rows > 0).collect()
}

/// Compares the recordings of the clients of 1997 with each revision.
///
/// # Errors
///
/// Returns a sentence if a recording is not valid.
fn clients(world: &World) -> Result<Vec<ClientRow>, String> {
    let folders = world.folders().map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for engine in folders.engines.iter().filter(|engine| engine.description.panel.ends_with(FIELDING)) {
        let mut row = ClientRow {
            client: engine.name.clone(),
            rows: 0,
            alike: revision::resolving().map(|(revision, _)| (revision.id, 0)).collect(),
        };
        let newest =
            engine.version(None).and_then(|version| world.recorded(engine, version).map_err(|it| it.to_string()));
        let Some(client) = newest? else { continue };
        for (base, reference) in engine.panel.pairs() {
            let outcome = client.resolve(base, reference);
            let Some(returned) = outcome.url() else { continue };
            row.rows += 1;
            for ((revision, _), (_, alike)) in revision::resolving().zip(&mut row.alike) {
                *alike += u64::from(revision.resolve(base, reference).is_ok_and(|target| target.url == returned));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

fn rule_rows() -> Vec<RuleRow> {
    let settings = |rule: &'static urlstrata::rules::Rule| {
        let rows = rule.settings.iter().enumerate();
        rows.map(|(index, setting)| AnswerRow {
            name: setting.name,
            note: setting.note(),
            sources: setting.sources().collect(),
            revisions: revision::resolving()
                .filter(|(_, rules)| rule.index(rules) == index)
                .map(|(revision, _)| revision.id)
                .collect(),
        })
        .collect()
    };
    rules::ALL
        .iter()
        .map(|rule| RuleRow { name: rule.name, question: rule.question, settings: settings(rule) })
        .collect()
}

fn marks_of(revision: &'static revision::Revision) -> impl Iterator<Item = MarkRow> {
    revision.remarks.iter().map(|mark| MarkRow {
        kind: match mark.kind {
            RemarkKind::Choice => "choice",
            RemarkKind::Erratum => "erratum",
        },
        revision: revision.id,
        id: mark.id,
        open: mark.issue,
        decision: mark.decision,
        because: mark.reason,
    })
}
