//! The matrix of engines that find different hosts.

use urlstrata_harness::engine::{Engine, by_name};
use urlstrata_harness::survey::confusion::matrix::HostMatrix;
use urlstrata_harness::world::World;

#[test]
fn engines_that_see_the_same_hosts_share_a_row() {
    let engines = ["ref:rfc3986", "ref:whatwg", "crate:url"].map(|name| by_name(name).expect("an engine"));
    let engines: Vec<&dyn Engine> = engines.iter().map(|engine| engine.as_ref()).collect();
    let world = World::embedded().expect("a world");
    let models: Vec<_> = engines.iter().map(|engine| world.model_of(*engine)).collect();
    let pairs = [("http://v/p", r"//a\@b"), ("http://v/p", r"//c\@d"), ("", "http://0/"), ("http://v/p", "//A:80/")];
    let matrix = HostMatrix::of(&engines, &models, &pairs, &|_| true);
    assert_eq!(matrix.rows.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    let [cell] = matrix.cells.as_slice() else { panic!("{:?}", matrix.cells) };
    assert_eq!((cell.rows, cell.differ, cell.causes.len()), ([0, 1], 2, 1));
    assert_eq!(cell.causes[0].hosts, ["b".to_owned(), "a".to_owned()]);
}
