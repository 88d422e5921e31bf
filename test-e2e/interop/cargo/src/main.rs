//! A charger on ocpp-client, whose typed messages everything either side sends must fit. Speaks the line protocol of the
//! README of the folder above.

mod versions;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use ocpp_client::rustls::pki_types::pem::PemObject;
use ocpp_client::rustls::pki_types::CertificateDer;
use ocpp_client::rustls::{ClientConfig, RootCertStore};
use ocpp_client::{ConnectOptions, ReconnectBehavior};
use serde_json::{json, Value};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Mutex;

use versions::Charger;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;
type Current = Arc<Mutex<Option<Charger>>>;

const CALL_TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let current = Current::default();
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = orders.next_line().await? {
        let order: Value = serde_json::from_str(&line)?;
        tokio::spawn(carry_out(current.clone(), order));
    }
    // What is still in flight ends with the input.
    std::process::exit(0);
}

async fn carry_out(current: Current, order: Value) {
    let outcome = match order["do"].as_str() {
        Some("connect") => connect(current, &order).await,
        Some("call") => send(current, &order).await,
        Some("close") => close(current).await,
        _ => Err(format!("unknown order {order}").into()),
    };
    match outcome {
        Ok(result) => report(json!({ "id": order["id"], "result": result })),
        Err(error) => report(
            json!({ "id": order["id"], "error": { "code": "Error", "text": error.to_string() } }),
        ),
    }
}

async fn connect(current: Current, order: &Value) -> Result<Value, Failure> {
    let charger_id = text(order, "chargerId")?;
    let address = format!("{}{}", text(order, "url")?, charger_id);
    let password = order["password"].as_str();
    let options = ConnectOptions {
        username: password.map(|_| charger_id),
        password: password.map(str::as_bytes),
        timeout: Some(CALL_TIMEOUT),
        // The test says when.
        reconnect: ReconnectBehavior::Disabled,
        tls_config: Some(trusted()?),
        ..Default::default()
    };
    let version = order["version"].as_str().unwrap_or("ocpp1.6");
    let client = Charger::connect(version, &address, options, &order["answers"]).await?;
    *current.lock().await = Some(client);
    Ok(json!({}))
}

async fn send(current: Current, order: &Value) -> Result<Value, Failure> {
    let client = current
        .lock()
        .await
        .clone()
        .ok_or("there is no connection")?;
    client
        .send(text(order, "action")?, order["payload"].clone())
        .await
}

async fn close(current: Current) -> Result<Value, Failure> {
    let client = current
        .lock()
        .await
        .take()
        .ok_or("there is no connection")?;
    client.disconnect().await?;
    Ok(json!({}))
}

/// Trusts the certificate of the tested service and no other.
fn trusted() -> Result<Arc<ClientConfig>, Failure> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(std::env::var(
        "SSL_CERT_FILE",
    )?)?)?;
    Ok(Arc::new(
        ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth(),
    ))
}

fn text<'a>(order: &'a Value, name: &str) -> Result<&'a str, Failure> {
    order[name]
        .as_str()
        .ok_or_else(|| format!("the order has no {name}").into())
}

pub fn report(line: Value) {
    let mut out = std::io::stdout().lock();
    // Nobody reads it when it fails.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
