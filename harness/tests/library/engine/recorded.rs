//! Engines whose results are recorded.

use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::recording::Recording;
use urlstrata_harness::engine::{Engine, RecordedEngine, Source};
use urlstrata_harness::outcome::Outcome;

#[test]
fn pairs_outside_the_panel_are_predicted_or_skipped() {
    let panel = Panel::new([("http://a/".to_owned(), "g".to_owned())]);
    let recording = Recording::new("e", "1", &panel, &[Outcome::Url("x:y".to_owned())], (0, String::new()));
    let engine = RecordedEngine::new(&panel, recording);
    assert_eq!(engine.key(), "e@1");
    assert_eq!(engine.resolve("http://a/", "g"), Outcome::Url("x:y".to_owned()));
    assert_eq!(engine.source("http://a/", "g"), Source::Recorded);
    assert_eq!(engine.resolve("http://a/", "h"), Outcome::Skipped("not recorded".to_owned()));
    assert_eq!(engine.source("http://a/", "h"), Source::Absent);
    let engine = engine.predicting(Some(Box::new(|_, reference| Outcome::Url(reference.to_owned()))));
    assert_eq!(engine.resolve("http://a/", "h"), Outcome::Url("h".to_owned()));
    assert_eq!(engine.source("http://a/", "h"), Source::Predicted);
}
