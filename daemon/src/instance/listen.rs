//! The TCP listener's door: which addresses may be asked for, and that none opens without a guard.

use std::net::SocketAddr;

use askd_wire::settings::Listen;

use super::error::StartError;

/// Refuses every wish for a TCP listener: each request on it needs a token, and there is nothing yet
/// that makes tokens. A door without a guard would be worse than none.
///
/// # Errors
/// [`StartError::Listen`] when a flag or the settings file asks for one.
pub(crate) fn refuse_until_guarded(flag: Option<&str>, settings: &Listen) -> Result<(), StartError> {
    let Some(address) = flag.or(settings.address.as_deref()) else { return Ok(()) };
    let from = if flag.is_some() { "--listen" } else { "listen.address in the settings file" };
    let why = if is_loopback(address) {
        format!(
            "this version cannot make the tokens that guard it. Leave {from} out and use the Unix socket, over ssh if need be."
        )
    } else {
        format!("only loopback addresses like 127.0.0.1:7777 are served. Correct or remove {from}.")
    };
    Err(StartError::Listen { address: address.to_owned(), why })
}

fn is_loopback(address: &str) -> bool {
    address.parse::<SocketAddr>().is_ok_and(|address| address.ip().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(flag: Option<&str>, setting: Option<&str>) -> Option<String> {
        let settings = Listen { address: setting.map(str::to_owned), ..Listen::default() };
        refuse_until_guarded(flag, &settings).err().map(|error| error.to_string())
    }

    #[test]
    fn no_door_opens_without_a_guard() {
        assert_eq!(refusal(None, None), None);
        let flag = refusal(Some("127.0.0.1:0"), None).unwrap();
        assert!(flag.contains("tokens") && flag.contains("--listen"), "{flag}");
        let setting = refusal(None, Some("127.0.0.1:0")).unwrap();
        assert!(setting.contains("listen.address"), "{setting}");
    }

    #[test]
    fn only_loopback_is_an_address() {
        for address in ["0.0.0.0:1", "192.168.1.1:1", "example.org:1", "127.0.0.1", "nonsense", "[::]:1"] {
            let refusal = refusal(Some(address), None).unwrap();
            assert!(refusal.contains("loopback") && refusal.contains(address), "{refusal}");
        }
    }
}
