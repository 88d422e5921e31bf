//! A charger on ocpp-client, whose typed messages everything either side sends must fit. Speaks the line protocol of the
//! README of the folder above.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use ocpp_client::ocpp_1_6::{self as actions, OCPP1_6Client, OCPP1_6Error};
use ocpp_client::ocpp_types::v16::RpcErrorCode;
use ocpp_client::rustls::pki_types::pem::PemObject;
use ocpp_client::rustls::pki_types::CertificateDer;
use ocpp_client::rustls::{ClientConfig, RootCertStore};
use ocpp_client::{connect_1_6, Action, ConnectOptions, ReconnectBehavior};
use serde_json::{json, Value};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Mutex;

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Current = Arc<Mutex<Option<OCPP1_6Client>>>;

const CALL_TIMEOUT: Duration = Duration::from_secs(20);
/// The stack does not report the end of a connection: its pings do.
const PING_INTERVAL: Duration = Duration::from_millis(200);

/// Sends the CALL of one of these actions.
macro_rules! call_one_of {
    ($client:expr, $action:expr, $payload:expr, [$($name:ident),* $(,)?]) => {
        match $action {
            $(stringify!($name) => call::<actions::$name>($client, $payload).await,)*
            other => Err(format!("the stack sends no {other}").into()),
        }
    };
}

/// Answers the service's CALLs of these actions, where the test has laid an answer ready.
macro_rules! answer_all_of {
    ($client:expr, $answers:expr, [$($name:ident),* $(,)?]) => {
        $(answer::<actions::$name>($client, $answers).await;)*
    };
}

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
    let client = connect_1_6(&address, Some(options)).await?;
    let answers = &order["answers"];
    answer_all_of!(
        &client,
        answers,
        [
            CancelReservation,
            CertificateSigned,
            ChangeAvailability,
            ChangeConfiguration,
            ClearCache,
            ClearChargingProfile,
            DataTransfer,
            DeleteCertificate,
            ExtendedTriggerMessage,
            GetCompositeSchedule,
            GetConfiguration,
            GetDiagnostics,
            GetInstalledCertificateIds,
            GetLocalListVersion,
            GetLog,
            InstallCertificate,
            RemoteStartTransaction,
            RemoteStopTransaction,
            ReserveNow,
            Reset,
            SendLocalList,
            SetChargingProfile,
            SignedUpdateFirmware,
            TriggerMessage,
            UnlockConnector,
            UpdateFirmware,
        ]
    );
    tokio::spawn(watch(client.clone()));
    *current.lock().await = Some(client);
    Ok(json!({}))
}

async fn send(current: Current, order: &Value) -> Result<Value, Failure> {
    let client = current
        .lock()
        .await
        .clone()
        .ok_or("there is no connection")?;
    let payload = order["payload"].clone();
    call_one_of!(
        &client,
        text(order, "action")?,
        payload,
        [
            Authorize,
            BootNotification,
            DataTransfer,
            DiagnosticsStatusNotification,
            FirmwareStatusNotification,
            Heartbeat,
            LogStatusNotification,
            MeterValues,
            SecurityEventNotification,
            SignCertificate,
            SignedFirmwareStatusNotification,
            StartTransaction,
            StatusNotification,
            StopTransaction,
        ]
    )
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

async fn call<A: Action>(client: &OCPP1_6Client, payload: Value) -> Result<Value, Failure> {
    let request: A::Request = serde_json::from_value(payload)?;
    Ok(serde_json::to_value(client.call::<A>(request).await?)?)
}

async fn answer<A: Action>(client: &OCPP1_6Client, answers: &Value) {
    let Some(answer) = answers.get(A::NAME).cloned() else {
        return;
    };
    client
        .on::<A, _, _>(move |request, _| {
            let called = serde_json::to_value(&request);
            let given = serde_json::from_value::<A::Response>(answer.clone());
            async move {
                report(json!({ "event": "call", "action": A::NAME, "payload": called.map_err(internal)? }));
                given.map_err(internal)
            }
        })
        .await;
}

fn internal(error: serde_json::Error) -> OCPP1_6Error {
    OCPP1_6Error {
        code: RpcErrorCode::InternalError,
        description: error.to_string(),
        details: json!({}),
    }
}

async fn watch(client: OCPP1_6Client) {
    while client.send_ping().await.is_ok() {
        tokio::time::sleep(PING_INTERVAL).await;
    }
    report(json!({ "event": "closed" }));
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

fn report(line: Value) {
    let mut out = std::io::stdout().lock();
    // Nobody reads it when it fails.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
