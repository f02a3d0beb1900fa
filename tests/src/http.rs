//! One HTTP request over the daemon's socket, byte by byte the test's.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::Value;

use crate::wait::SOON;

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Response {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// Posts a body with further header lines and gives the response.
#[must_use]
pub fn post(socket: &Path, headers: &[(&str, &str)], body: &str) -> Response {
    let mut stream = UnixStream::connect(socket).expect("the daemon's socket");
    stream.set_read_timeout(Some(SOON)).expect("a deadline");
    let mut request = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".to_owned();
    request += "Content-Type: application/json\r\n";
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
    // A server may answer and close before it has read everything; what it said counts all the same.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let response = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {response:?}"));
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
    Response { status: status.unwrap_or_else(|| panic!("no status: {head}")), body: body.to_owned() }
}
