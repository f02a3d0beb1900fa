//! Whether an agent runs this program: answers, cancellations and settings are a person's to give
//! (protocol §3, "Who answered").

use std::ffi::OsStr;

use crate::failure::Failure;

const NAMES: [&str; 4] = ["AI_AGENT", "CLAUDECODE", "PI_CODING_AGENT", "ASKD_AGENT"];
const PREFIX: &str = "CODEX_";

/// The first marker in an environment.
pub(crate) fn find<N: AsRef<OsStr>, V: AsRef<OsStr>>(
    environment: impl IntoIterator<Item = (N, V)>,
) -> Option<String> {
    environment.into_iter().find_map(|(name, value)| {
        let name = name.as_ref().to_str()?;
        let marks = NAMES.contains(&name) || name.starts_with(PREFIX);
        (marks && !value.as_ref().is_empty()).then(|| name.to_owned())
    })
}

/// Refuses what is a person's to do, unless the agent says openly that it is one.
pub(crate) fn refuse(marker: Option<&str>, as_agent: bool, what: &str) -> Result<(), Failure> {
    match marker {
        Some(name) if !as_agent => Err(Failure::Other(format!(
            "`ask {what}` is a person's to use, and {name} in the environment says that an agent runs it. Leave it to the person; if it is meant, add --as-agent, which is recorded with the form."
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_by_name_and_prefix_when_set() {
        assert_eq!(find([("HOME", "/h"), ("CODEX_SANDBOX", "1")]).as_deref(), Some("CODEX_SANDBOX"));
        assert_eq!(find([("ASKD_AGENT", "pi")]).as_deref(), Some("ASKD_AGENT"));
        assert_eq!(find([("CLAUDECODE", ""), ("ASKD_SOCKET", "/s"), ("MY_CODEX_X", "1")]), None);
    }

    #[test]
    fn an_agent_has_to_say_so() {
        assert!(refuse(None, false, "answer").is_ok());
        assert!(refuse(Some("AI_AGENT"), true, "answer").is_ok());
        let text = refuse(Some("AI_AGENT"), false, "answer").unwrap_err().to_string();
        assert!(text.contains("AI_AGENT") && text.contains("--as-agent"), "{text}");
    }
}
