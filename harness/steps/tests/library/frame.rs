use urlstrata::slots::{Exchange, Part, Slot, Value};
use urlstrata_steps::{Change, Dated, Next, Question, Run, Side, State, Step, Table, no_calls};

static LOUD: Change = Change {
    id: "#7",
    versions: &["2.0"],
    date: "2020",
    issue: "",
    says: "the scheme is written in upper case",
    witness: None,
};

static READ: &[Step] = &[
    Step::new("read: scheme", "the part before a colon is the scheme", |s| {
        let scheme = s.given().split_once(':').map(|(scheme, _)| scheme.to_owned());
        s.set(s.own(Part::Scheme), scheme);
        Next::Go
    }),
    Step::new("read: lower", "write it in lower case", |s| {
        let slot = s.own(Part::Scheme);
        let lower = s.get(slot).to_lowercase();
        s.set(slot, lower);
        Next::Done
    }),
    Step::new("read: never", "this step is never reached", |s| s.reject(Slot::Result, "reached")),
];

static JOIN: &[Step] = &[
    Step::new("join: base", "read the base", |_| Next::Call(READ, Side::Base)),
    Step::new("join: reference", "read the reference", |_| Next::Call(READ, Side::Reference)),
    Step::new("join: loud", "write the scheme in upper case", |s| {
        let upper = s.get(Slot::Base(Part::Scheme)).to_uppercase();
        s.set(Slot::Base(Part::Scheme), upper);
        Next::To("join: end")
    })
    .since(&LOUD),
    Step::new("join: quiet", "decide nothing", |_| Next::To("join: end")).until(&LOUD),
    Step::new("join: skipped", "this step is skipped", |s| s.reject(Slot::Result, "not skipped")),
    Step::new("join: end", "write the base's scheme", |s| {
        s.inherit(Part::Scheme);
        s.set(Slot::Out(Part::Path), "");
        s.concatenate()
    }),
];

fn table(steps: &'static [Step]) -> Table {
    Table {
        engine: "example",
        first: "1.0",
        changes: Box::leak(Box::new([&LOUD])),
        dated: &[Dated { version: "1.5", changes: &["#7"] }],
        questions: Box::leak(Box::new([(Question::Resolve, steps)])),
        called: Box::leak(Box::new([READ])),
        standard: None,
        has_dated_names: false,
        field: None,
        calls: no_calls,
    }
}

fn run(version: &str, exchanges: &[Exchange]) -> Run {
    let table = table(JOIN);
    let run = table.record(Question::Resolve, &table.changes_of(version), ("AB:x", "Cd:y"), exchanges);
    run.expect("the table answers")
}

#[test]
fn a_row_exists_between_its_changes() {
    assert_eq!(run("1.0", &[]).url(), Some("ab:"));
    assert_eq!(run("2.1", &[]).url(), Some("AB:"));
    // A version with the change of a later one, by its entry, and by what is asked.
    assert_eq!(run("1.5", &[]).url(), Some("AB:"));
    assert_eq!(run("1.0+#7", &[]).url(), Some("AB:"));
}

#[test]
fn a_slot_holds_its_history() {
    let run = run("2.0", &[]);
    let history: Vec<_> =
        run.slots.history(Slot::Base(Part::Scheme)).iter().map(|write| (&*write.steps, write.value.text())).collect();
    assert_eq!(
        history,
        [(&["read: scheme"][..], Some("AB")), (&["read: lower"], Some("ab")), (&["join: loud"], Some("AB"))]
    );
    // The copy has the history of what was copied.
    assert_eq!(run.slots.history(Slot::Out(Part::Scheme)), run.slots.history(Slot::Base(Part::Scheme)));
    assert_eq!(run.slots.text(Slot::Used), Some("scheme"));
    assert_eq!(run.text_of("join: loud").text, "write the scheme in upper case");
}

#[test]
fn an_exchanged_value_takes_effect_from_its_write_on() {
    let exchange = |after| [Exchange { slot: Slot::Base(Part::Scheme), after, value: Value::from("zz") }];
    assert_eq!(run("1.0", &exchange(2)).url(), Some("zz:"));
    assert_eq!(run("2.0", &exchange(2)).url(), Some("zz:"));
    assert_eq!(run("2.0", &exchange(4)).url(), Some("AB:"));
}

#[test]
fn answers_are_those_of_recorded_runs() {
    for version in ["1.0", "2.0"] {
        let table = table(JOIN);
        let changes = table.changes_of(version);
        let answer = table.answer(Question::Resolve, &changes, ("AB:x", "Cd:y")).expect("the table answers");
        assert_eq!(answer.url(), run(version, &[]).url());
        assert!(answer.slots.history(Slot::Result).is_empty());
    }
    assert!(table(JOIN).answer(Question::Parse, &[], ("", "a:b")).is_none());
}

#[test]
fn a_faulty_table_rejects_and_says_why() {
    static ENDLESS: &[Step] = &[Step::new("again", "begin again", |_| Next::To("again"))];
    static LOST: &[Step] = &[Step::new("lost", "go nowhere", |_| Next::To("nowhere"))];
    static EMPTY: &[Step] = &[Step::new("end", "write nothing", |_: &mut State<'_>| Next::Done)];
    for (steps, why) in [
        (ENDLESS, "the table repeats its steps without end"),
        (LOST, "the table has no step nowhere"),
        (EMPTY, "the table writes no result"),
    ] {
        let run = table(steps).answer(Question::Resolve, &[], ("a", "b")).expect("the table answers");
        assert_eq!(run.outcome.map_err(|rejected| rejected.why), Err(why.to_owned()));
    }
}
