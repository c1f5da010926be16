//! Tests of the generated site in a browser. The package consists of tests, and its library is empty.
