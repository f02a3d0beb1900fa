//! Errors as JSON-RPC error objects: the protocol's own kinds and the standard codes (protocol §8).

use askd_wire::{ErrorKind, RpcError};
use jsonrpsee::types::ErrorObjectOwned;
use jsonrpsee::types::error::{ErrorCode, INTERNAL_ERROR_CODE, INVALID_PARAMS_CODE, INVALID_REQUEST_CODE};
use serde_json::json;

/// One of the protocol's own kinds.
pub(super) fn object(error: &RpcError) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(error.kind.code(), error.message.as_str(), Some(error.to_data()))
}

/// A param that does not fit; `path` is its dotted name, or `params` for all of them.
pub(super) fn invalid_params(path: &str, message: &str) -> ErrorObjectOwned {
    let data = json!({ "path": path, "message": message });
    ErrorObjectOwned::owned(INVALID_PARAMS_CODE, format!("Invalid params: `{path}`: {message}"), Some(data))
}

/// A call that may not come now.
pub(super) fn invalid_request(message: &str) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(INVALID_REQUEST_CODE, format!("Invalid request: {message}"), None::<()>)
}

/// A name that is no method.
pub(super) fn method_not_found() -> ErrorObjectOwned {
    ErrorCode::MethodNotFound.into()
}

/// A fault of the daemon's own.
pub(super) fn internal() -> ErrorObjectOwned {
    let message =
        "The daemon failed on this call; its log names the place. Nothing that was acknowledged is lost.";
    ErrorObjectOwned::owned(INTERNAL_ERROR_CODE, message, None::<()>)
}

/// A limit is reached; `limit` is the name of its setting below `limits`.
pub(super) fn overloaded(limit: &str, max: u64, message: &str) -> RpcError {
    RpcError::new(ErrorKind::Overloaded, message).with("limit", limit).with("max", max)
}
