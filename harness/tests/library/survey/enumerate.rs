//! Enumeration on all cores.

use urlstrata_harness::survey::enumerate::over_items;

/// The lengths include those of one task and of several, with and without a rest.
#[test]
fn every_item_is_visited_once() {
    for total in [0, 1, 255, 256, 257, 512, 775] {
        let numbers: Vec<u64> = (0..total).collect();
        let add = |(count, sum): &mut (u64, u64), numbers: &[u64]| {
            (*count, *sum) = (*count + numbers.len() as u64, *sum + numbers.iter().sum::<u64>());
        };
        let merge = |(count, sum): &mut (u64, u64), part: (u64, u64)| (*count, *sum) = (*count + part.0, *sum + part.1);
        let found = over_items(&numbers, &|_| (), || (0, 0), add, merge);
        assert_eq!(found, (total, numbers.iter().sum()));
    }
}

#[test]
#[should_panic(expected = "on purpose")]
fn a_panic_in_a_thread_is_not_lost() {
    let numbers: Vec<u64> = (0..10).collect();
    over_items(&numbers, &|_| (), || (), |(), numbers| assert!(!numbers.contains(&3), "on purpose"), |(), ()| ());
}
