//! The notable deviations of recorded engines are true, and so is what their behaviours do not state.

use std::fs;
use std::path::{Path, PathBuf};

use urlstrata_harness::engine::folder::{EngineFolder, EngineFolders, UrlPanels};
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::knowledge::attribute::Model;
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
use urlstrata_harness::knowledge::notable::{Notable, NotableDeviation, Own, Unstated};
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;

/// Returns what is known of the newest version of `engine`: its steps, or its behaviour.
fn model(engine: &EngineFolder) -> Model {
    let version = &engine.version(None).unwrap_or_else(|sentence| panic!("{sentence}")).version;
    let read = RecordedBehaviour::read(engine, version).unwrap_or_else(|error| panic!("{error}"));
    let behaviour = read.map(|read| read.behaviour().unwrap_or_else(|sentence| panic!("{sentence}")));
    let steps = Stepped::of(&engine.name, version).filter(Stepped::resolves);
    assert!(behaviour.is_some() != steps.is_some(), "{}: steps, or else a behaviour", engine.name);
    Model { behaviour, steps, ..Model::default() }
}

/// Returns the recorded outcomes of the newest version of `engine`.
fn outcomes(engine: &EngineFolder) -> Vec<Outcome> {
    let version = &engine.version(None).unwrap_or_else(|sentence| panic!("{sentence}")).version;
    let recording = engine.recording(version).unwrap_or_else(|error| panic!("{error}")).expect("a recording");
    recording.outcomes(&engine.panel).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns an error for each notable deviation of `engine` that is not true.
fn wrong(engine: &EngineFolder) -> Vec<String> {
    let notable = match Notable::of(engine) {
        Ok(Some(notable)) => notable,
        Ok(None) => return Vec::new(),
        Err(error) => return vec![error.to_string()],
    };
    let (model, outcomes) = (model(engine), outcomes(engine));
    let own = Own::of(&model).expect("steps or a behaviour");
    let decided = notable.deviations.iter().map(|deviation| {
        let number = engine.panel.find(&deviation.pair.base, &deviation.pair.reference);
        let recorded = number.map(|number| &outcomes[number]);
        deviation.decides(own, &notable.specification, recorded)
    });
    decided.filter_map(|decided| Some(decided.err()?.to_string())).collect()
}

#[test]
fn every_notable_deviation_decides_about_its_pair() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let stated: usize = folders.engines.iter().map(|engine| engine.description.deviations.len()).sum();
    assert!(stated > 0);
    let wrong: Vec<String> = folders.engines.iter().flat_map(wrong).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// Returns a folder with a copy of the folder of `engine`, with `deviation` instead of the notable deviations and of what is not stated.
fn copy(engine: &str, name: &str, deviation: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("notable-{name}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines").join(engine);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the files of an earlier run");
    }
    fs::create_dir_all(folder.join(engine)).expect("a folder");
    for file in fs::read_dir(source).expect("a folder").flatten() {
        fs::copy(file.path(), folder.join(engine).join(file.file_name())).expect("a copy");
    }
    let path = folder.join(engine).join("engine.toml");
    let text = fs::read_to_string(&path).expect("a file");
    let kept =
        text.split("\n[[deviation]]").next().and_then(|text| text.split("\n[[unstated]]").next()).expect("a text");
    let kept: Vec<_> = kept.lines().filter(|line| !line.starts_with("compared_with")).collect();
    fs::write(&path, format!("{}\n\n{deviation}", kept.join("\n"))).expect("a file");
    folder
}

/// Returns an error for each `[[unstated]]` entry of `engine` that is not true.
fn wrong_unstated(engine: &EngineFolder) -> Vec<String> {
    let unstated = match Unstated::all(engine) {
        Ok(unstated) if unstated.is_empty() => return Vec::new(),
        Ok(unstated) => unstated,
        Err(error) => return vec![error.to_string()],
    };
    let own = model(engine).behaviour.unwrap_or_else(|| panic!("{}: its steps leave nothing out", engine.name));
    let outcomes = outcomes(engine);
    let checked = unstated.iter().map(|unstated| unstated.is_missed(engine, &own, &outcomes));
    checked.filter_map(|checked| Some(checked.err()?.to_string())).collect()
}

#[test]
fn pairs_of_unstated_entries_are_not_predicted() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let stated: usize = folders.engines.iter().map(|engine| engine.description.unstated.len()).sum();
    assert!(stated > 0);
    let wrong: Vec<String> = folders.engines.iter().flat_map(wrong_unstated).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn wrong_unstated_entries_have_a_file_and_a_line() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let entry = |reference: &str| {
        format!(
            "[[unstated]]\ndoes = \"does\"\npair = {{ base = \"http://a/b/c/d;p?q\", reference = \"{reference}\" }}\n"
        )
    };
    let cases = [
        ("unstated-panel", entry("not/in/the/panel"), "the pair is not in the panel"),
        ("unstated-predicted", entry("g"), "the behaviour predicts the result of the pair"),
        ("unstated-phrase", entry("g").replace("\"does\"", "\"Does.\""), "`does` must be a verb phrase"),
        ("unstated-key", entry("g").replace("does =", "did ="), "unknown field `did`"),
    ];
    for (name, entry, wanted) in cases {
        let root = copy("mono-system-uri", name, &entry);
        let text = fs::read_to_string(root.join("mono-system-uri/engine.toml")).expect("a file");
        let line = text.lines().position(|line| line == "[[unstated]]").expect("an entry") + 1;
        let engine = EngineFolder::read(&root, "mono-system-uri", (&folders.panel, &folders.panels))
            .unwrap_or_else(|error| panic!("{error}"));
        let found = wrong_unstated(&engine).join(" ");
        let place = format!("{}:{line}: ", root.join("mono-system-uri/engine.toml").display());
        assert!(found.starts_with(&place) && found.contains(wanted), "{name}: {found}");
    }
}

#[test]
fn errors_have_a_file_and_a_line() {
    let entry = |by: &str, reference: &str| {
        format!(
            "[[deviation]]\nkind = \"older\"\ndoes = \"does\"\nreason = \"So.\"\n{by}\n\
             pair = {{ base = \"http://a/b\", reference = \"{reference}\" }}\n"
        )
    };
    let [known, settings, other] = [
        "step = \"urljoin: netloc\"",
        "settings = [\"empty_authority=Missing\"]",
        "settings = [\"empty_authority=Lost\"]",
    ];
    let cases = [
        ("kind", true, entry(known, "///c").replace("older", "newer"), "unknown variant `newer`, expected one of"),
        ("key", true, entry(known, "///c").replace("does =", "did ="), "unknown field `did`"),
        ("setting", true, entry(other, "///c"), "no setting of a behaviour is called \"empty_authority=Lost\""),
        ("none", true, entry("settings = []", "///c"), "name the `step` of the source that decides"),
        ("both", true, entry(&format!("{known}\n{settings}"), "///c"), "name the `step` of the source that decides"),
        ("instead", true, entry(settings, "///c"), "the engine has steps: name the `step` that decides"),
        ("phrase", true, entry(known, "///c").replace("\"does\"", "\"Does.\""), "`does` must be a verb phrase"),
        (
            "step",
            true,
            entry("step = \"no step\"", "///c"),
            "no step: the engine parts from rfc3986-nonstrict at other steps: urljoin: netloc",
        ),
        ("pair", true, entry(known, "c"), "the pair does not depend on it, the result is always `http://a/c`"),
        ("specification", false, entry(known, "///c"), "missing key `compared_with`"),
    ];
    for (name, is_compared, deviation, wanted) in cases {
        let root = copy("urllib", name, &deviation);
        let path = root.join("urllib/engine.toml");
        let mut text = fs::read_to_string(&path).expect("a file");
        if is_compared {
            text = format!("compared_with = \"rfc3986-nonstrict\"\n{text}");
            fs::write(&path, &text).expect("a file");
        }
        let line = text.lines().position(|line| line == "[[deviation]]").expect("an entry") + 1;
        let engine = EngineFolder::read(&root, "urllib", (&Panel::default(), &UrlPanels::default()))
            .unwrap_or_else(|error| panic!("{error}"));
        let found = wrong_without_recording(&engine);
        let place = format!("{}:{line}: ", path.display());
        assert!(found.starts_with(&place) && found.contains(wanted), "{name}: {found}");
    }
}

#[test]
fn settings_of_an_engine_without_steps_decide_about_their_pair() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let fitted = |engine: &&EngineFolder| engine.name == "htmlcxx";
    let engine = folders.engines.iter().find(fitted).expect("an engine without steps");
    let notable = Notable::of(engine).ok().flatten().expect("known deviations");
    let own = model(engine).behaviour.expect("a behaviour");
    let decides = |deviation: &NotableDeviation| deviation.decides(Own::Behaviour(&own), &notable.specification, None);
    let first = &notable.deviations[0];
    assert!(decides(first).is_ok());
    for (settings, wanted) in [
        (vec!["excess=Dropped".to_owned()], "\"excess=Dropped\" is not a difference"),
        (Vec::new(), "the engine has no steps: name `settings`"),
    ] {
        let error = decides(&NotableDeviation { settings, ..first.clone() }).expect_err("an error").to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

/// Returns the error of the only notable deviation of `engine`. Recorded outcomes are not compared.
fn wrong_without_recording(engine: &EngineFolder) -> String {
    let notable = match Notable::of(engine) {
        Ok(notable) => notable.expect("a deviation"),
        Err(error) => return error.to_string(),
    };
    let model = model(engine);
    let own = Own::of(&model).expect("steps or a behaviour");
    let decided = notable.deviations[0].decides(own, &notable.specification, None);
    decided.expect_err("an error").to_string()
}
