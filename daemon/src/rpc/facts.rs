//! What the system says about the process at the other end of a socket, read once when it connects.
//!
//! None of it is logged: an environment holds secrets, and only the name of a marker leaves this file.

use std::fs::{self, File};
use std::io::Read as _;

use crate::peer::PeerFacts;

/// Markers that agents set in the environment of what they run (protocol §3, "Who answered").
const MARKERS: [&str; 4] = ["AI_AGENT", "CLAUDECODE", "PI_CODING_AGENT", "ASKD_AGENT"];
const MARKER_PREFIX: &str = "CODEX_";

/// An environment is at most this long on Linux with the usual stack limit.
const MAX_ENVIRONMENT: u64 = 4 * 1024 * 1024;

/// The facts about process `pid`. What cannot be read is left out.
pub(crate) fn of(pid: Option<i32>) -> PeerFacts {
    let Some(pid) = pid else { return PeerFacts::default() };
    let exe = fs::read_link(format!("/proc/{pid}/exe")).ok();
    let mut environment = Vec::new();
    let agent = File::open(format!("/proc/{pid}/environ"))
        .and_then(|file| file.take(MAX_ENVIRONMENT).read_to_end(&mut environment))
        .ok()
        .and_then(|_| marker(&environment));
    PeerFacts { pid: Some(pid), exe: exe.map(|path| path.display().to_string()), agent }
}

/// The name of the first marker in an environment block. An empty value counts as unset.
fn marker(environment: &[u8]) -> Option<String> {
    environment.split(|byte| *byte == 0).find_map(|entry| {
        let (name, value) = std::str::from_utf8(entry).ok()?.split_once('=')?;
        let marks = MARKERS.contains(&name) || name.starts_with(MARKER_PREFIX);
        (marks && !value.is_empty()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_by_name_and_only_their_name_is_kept() {
        let found = |text: &str| marker(text.replace('|', "\0").as_bytes());
        assert_eq!(found("HOME=/h|AI_AGENT=secret|X=1"), Some("AI_AGENT".to_owned()));
        assert_eq!(found("CODEX_SANDBOX=1"), Some("CODEX_SANDBOX".to_owned()));
        assert_eq!(found("CLAUDECODE=1"), Some("CLAUDECODE".to_owned()));
        assert_eq!(found("ASKD_AGENT=x|"), Some("ASKD_AGENT".to_owned()));
        assert_eq!(found("PI_CODING_AGENT="), None);
        assert_eq!(found("MY_AI_AGENT=1|AI_AGENT2=1|ASKD_SOCKET=AI_AGENT=1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_described_by_the_system() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let facts = of(Some(pid));
        assert_eq!(facts.exe, Some(std::env::current_exe().unwrap().display().to_string()));
        assert_eq!(of(None), PeerFacts::default());
    }
}
