//! What is known of engines: their behaviours, the attribution of their divergences, and their known deviations.
//!
//! A module only uses modules listed after it.
//!
//! | module | content |
//! | --- | --- |
//! | [`notable`] | notable deviations of recorded engines, with reasons |
//! | [`known`] | lists of known deviations, checked from both sides |
//! | [`misses`] | what a behaviour does not predict, by the smallest pair of each kind |
//! | [`shrink`] | the smallest pair that differs for the same reason |
//! | [`attribute`] | the causes of divergences |
//! | [`stepped`] | engines with tables of steps, and the steps by which results part |
//! | [`step_table`] | tables of steps as they are shown |
//! | [`behaviours`] | the behaviours of recorded engines, as files |
//! | [`measure`] | how well a behaviour predicts an engine |
//! | [`note`] | a difference in words, with its sources |
//! | [`citation`] | where each specification states what a difference is about |
//! | [`dated`] | the state of the URL Standard that an engine follows |
//! | [`dated_section`] | sections and states of the URL Standard as its dated texts have them |
//! | [`results`] | the results of all specifications for one pair |
//! | [`errata`] | the errata on which results depend |
//! | [`later`] | what standards after RFC 1738 state about single schemes |
//! | [`advisory`] | public security advisories |
//! | [`specification`] | the specifications with which engines are compared |

pub mod advisory;
pub mod attribute;
pub mod behaviours;
pub mod citation;
pub mod dated;
pub mod dated_section;
pub mod errata;
pub mod known;
pub mod later;
pub mod measure;
pub mod misses;
pub mod notable;
pub mod note;
pub mod results;
pub mod shrink;
pub mod specification;
pub mod step_table;
pub mod stepped;
