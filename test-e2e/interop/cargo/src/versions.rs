//! The versions of OCPP that the charger speaks: what it sends in each, and what it answers.

use std::time::Duration;

use ocpp_client::{Action, Client, ConnectOptions, ProtocolError};
use serde_json::{json, Value};

use crate::{report, Failure};

/// The stack does not report the end of a connection: its pings do.
const PING_INTERVAL: Duration = Duration::from_millis(200);

/// The client of one of the versions.
#[derive(Clone)]
pub enum Charger {
    V16(Client<ocpp_client::ocpp_1_6::OCPP1_6Error>),
    V201(Client<ocpp_client::ocpp_2_0_1::OCPP2_0_1Error>),
    V21(Client<ocpp_client::ocpp_2_1::OCPP2_1Error>),
}

/// The functions of one version, which sends and answers the CALLs of these actions.
macro_rules! version {
    ($module:ident, $actions:ident, $error:ident, $connect:ident,
     sends: [$($sent:ident),* $(,)?], answers: [$($answered:ident),* $(,)?]) => {
        mod $module {
            use ocpp_client::{$actions as actions, Client, ConnectOptions};
            use serde_json::Value;

            type Its = Client<actions::$error>;

            pub async fn connect(address: &str, options: ConnectOptions<'_>, answers: &Value) -> Result<Its, crate::Failure> {
                let client = ocpp_client::$connect(address, Some(options)).await?;
                $(super::answer::<actions::$answered, _>(&client, answers).await;)*
                tokio::spawn(super::watch(client.clone()));
                Ok(client)
            }

            pub async fn send(client: &Its, action: &str, payload: Value) -> Result<Value, crate::Failure> {
                match action {
                    $(stringify!($sent) => super::call::<actions::$sent, _>(client, payload).await,)*
                    other => Err(format!("the stack sends no {other}").into()),
                }
            }
        }
    };
}

version!(
    v16,
    ocpp_1_6,
    OCPP1_6Error,
    connect_1_6,
    sends: [
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
    ],
    answers: [
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

/// The actions of 2.0.1, which 2.1 has too.
macro_rules! version2 {
    ($module:ident, $actions:ident, $error:ident, $connect:ident) => {
        version!(
            $module,
            $actions,
            $error,
            $connect,
            sends: [
                Authorize,
                BootNotification,
                DataTransfer,
                FirmwareStatusNotification,
                Heartbeat,
                LogStatusNotification,
                MeterValues,
                NotifyEvent,
                NotifyReport,
                SecurityEventNotification,
                SignCertificate,
                StatusNotification,
                TransactionEvent,
            ],
            answers: [
                CancelReservation,
                CertificateSigned,
                ChangeAvailability,
                ClearCache,
                ClearChargingProfile,
                DataTransfer,
                DeleteCertificate,
                GetBaseReport,
                GetCompositeSchedule,
                GetInstalledCertificateIds,
                GetLocalListVersion,
                GetLog,
                GetReport,
                GetTransactionStatus,
                GetVariables,
                InstallCertificate,
                RequestStartTransaction,
                RequestStopTransaction,
                ReserveNow,
                Reset,
                SendLocalList,
                SetChargingProfile,
                SetNetworkProfile,
                SetVariables,
                TriggerMessage,
                UnlockConnector,
                UpdateFirmware,
            ]
        );
    };
}

version2!(v201, ocpp_2_0_1, OCPP2_0_1Error, connect_2_0_1);
version2!(v21, ocpp_2_1, OCPP2_1Error, connect_2_1);

impl Charger {
    pub async fn connect(
        version: &str,
        address: &str,
        options: ConnectOptions<'_>,
        answers: &Value,
    ) -> Result<Charger, Failure> {
        Ok(match version {
            "ocpp1.6" => Charger::V16(v16::connect(address, options, answers).await?),
            "ocpp2.0.1" => Charger::V201(v201::connect(address, options, answers).await?),
            "ocpp2.1" => Charger::V21(v21::connect(address, options, answers).await?),
            other => return Err(format!("the stack does not speak {other}").into()),
        })
    }

    pub async fn send(&self, action: &str, payload: Value) -> Result<Value, Failure> {
        match self {
            Charger::V16(client) => v16::send(client, action, payload).await,
            Charger::V201(client) => v201::send(client, action, payload).await,
            Charger::V21(client) => v21::send(client, action, payload).await,
        }
    }

    pub async fn disconnect(&self) -> Result<(), Failure> {
        match self {
            Charger::V16(client) => client.disconnect().await?,
            Charger::V201(client) => client.disconnect().await?,
            Charger::V21(client) => client.disconnect().await?,
        }
        Ok(())
    }
}

async fn call<A: Action, E: ProtocolError>(
    client: &Client<E>,
    payload: Value,
) -> Result<Value, Failure> {
    let request: A::Request = serde_json::from_value(payload)?;
    let response = client.call::<A>(request).await;
    Ok(serde_json::to_value(
        response.map_err(|error| error.to_string())?,
    )?)
}

/// Answers the service's CALLs of the action, where the test has laid an answer ready.
async fn answer<A: Action, E: ProtocolError>(client: &Client<E>, answers: &Value) {
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

fn internal<E: ProtocolError>(error: serde_json::Error) -> E {
    E::from_wire("InternalError", &error.to_string(), json!({}))
}

async fn watch<E: ProtocolError>(client: Client<E>) {
    while client.send_ping().await.is_ok() {
        tokio::time::sleep(PING_INTERVAL).await;
    }
    report(json!({ "event": "closed" }));
}
