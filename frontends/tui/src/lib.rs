//! Forms in a terminal: full screen, or as frames for a host.
