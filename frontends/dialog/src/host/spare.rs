//! A frontend that was started before there is a form for it: it connects and waits until its host names one
//! (protocol §9). One that is never needed goes without a word.

use std::future::Future;

use askd_client::{Client, ConnectError};
use askd_wire::PROTOCOL;
use askd_wire::form::FormSnapshot;
use serde_json::{Value, json};

use super::stdio::Incoming;
use super::{Closed, HostIo, failed};
use crate::session::Session;

struct Named {
    form_id: String,
    view_key: Option<String>,
}

/// Connects, says so, and shows the form that the host names then.
pub(super) async fn open<C>(
    connect: C,
    version: &str,
    io: &mut HostIo,
) -> Result<(Session, FormSnapshot), Closed>
where
    C: Future<Output = Result<Client, ConnectError>>,
{
    let connected = tokio::select! {
        connected = connect => connected,
        () = io.gone() => return Err(Closed::Unused),
    };
    io.notify("hello", &json!({ "protocol": PROTOCOL, "version": version }));
    let client = connected.map_err(failed)?;
    let Named { form_id, view_key } = named(&client, io).await?;
    tokio::select! {
        opened = Session::open_with_key(&client, &form_id, view_key) => opened.map_err(failed),
        () = io.gone() => Err(Closed::HostGone),
    }
}

async fn named(client: &Client, io: &mut HostIo) -> Result<Named, Closed> {
    let mut connection = client.watch_connection();
    loop {
        let incoming = tokio::select! {
            biased;
            incoming = io.next() => incoming,
            // The next daemon may be another version's, and one that stopped is not to be looked for.
            _ = connection.changed() => return Err(Closed::Unused),
        };
        match incoming {
            Incoming::Notification { method, params } if method == "form" => return read(&params),
            Incoming::Broken => io.complain(),
            Incoming::End => return Err(Closed::Unused),
            Incoming::Notification { .. } | Incoming::Reply { .. } => {}
        }
    }
}

fn read(params: &Value) -> Result<Named, Closed> {
    let text = |name: &str| params[name].as_str().map(str::to_owned);
    match text("formId") {
        Some(form_id) => Ok(Named { form_id, view_key: text("viewKey") }),
        None => Err(Closed::Failed(
            "The host's `form` named no form, so there is nothing to show. It has to send \
             {\"formId\":string,\"viewKey\"?:string}; mend the host."
                .to_owned(),
        )),
    }
}
