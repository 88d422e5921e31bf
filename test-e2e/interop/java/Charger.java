// A charger on Java-OCA-OCPP, whose typed model and its limits everything either side sends must pass. Speaks the line
// protocol of the README of the folder above; compiled with the packages of pom.xml.
import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import eu.chargetime.ocpp.CallErrorException;
import eu.chargetime.ocpp.ClientEvents;
import eu.chargetime.ocpp.JSONClient;
import eu.chargetime.ocpp.JSONCommunicator;
import eu.chargetime.ocpp.JSONConfiguration;
import eu.chargetime.ocpp.feature.profile.ClientCoreEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientCoreProfile;
import eu.chargetime.ocpp.feature.profile.ClientFirmwareManagementEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientFirmwareManagementProfile;
import eu.chargetime.ocpp.feature.profile.ClientLocalAuthListEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientLocalAuthListProfile;
import eu.chargetime.ocpp.feature.profile.ClientRemoteTriggerEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientRemoteTriggerProfile;
import eu.chargetime.ocpp.feature.profile.ClientReservationEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientReservationProfile;
import eu.chargetime.ocpp.feature.profile.ClientSmartChargingEventHandler;
import eu.chargetime.ocpp.feature.profile.ClientSmartChargingProfile;
import eu.chargetime.ocpp.feature.profile.securityext.ClientSecurityExtEventHandler;
import eu.chargetime.ocpp.feature.profile.securityext.ClientSecurityExtProfile;
import eu.chargetime.ocpp.model.Confirmation;
import eu.chargetime.ocpp.model.Request;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class Charger {
  private static final int TIMEOUT_S = 20;
  private static final String MODEL = "eu.chargetime.ocpp.model.";
  private static final List<String> PACKAGES =
      List.of("core", "firmware", "localauthlist", "remotetrigger", "reservation", "securityext", "smartcharging");

  /** Translates between the stack's model and JSON, as the stack does on the wire. */
  private final JSONCommunicator model = new JSONCommunicator(null);
  private JSONClient client;
  private JsonObject answers = new JsonObject();

  public static void main(String[] args) throws Exception {
    var charger = new Charger();
    var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      var order = JsonParser.parseString(line).getAsJsonObject();
      CompletableFuture.runAsync(() -> charger.carryOut(order));
    }
    System.exit(0);
  }

  private void carryOut(JsonObject order) {
    var reply = new JsonObject();
    reply.add("id", order.get("id"));
    try {
      reply.add("result", switch (order.get("do").getAsString()) {
        case "connect" -> connect(order);
        case "call" -> call(order.get("action").getAsString(), order.get("payload"));
        case "close" -> close();
        default -> throw new IllegalArgumentException("unknown order " + order);
      });
    } catch (Exception thrown) {
      var error = new JsonObject();
      var cause = thrown instanceof ExecutionException || thrown instanceof CompletionException ? thrown.getCause() : thrown;
      error.addProperty("code", cause instanceof CallErrorException e ? e.getErrorCode() : cause.getClass().getSimpleName());
      error.addProperty("text", String.valueOf(cause.getMessage()));
      reply.add("error", error);
    }
    report(reply);
  }

  private JsonObject connect(JsonObject order) throws Exception {
    answers = order.getAsJsonObject("answers");
    var settings = JSONConfiguration.get().setParameter(JSONConfiguration.CONNECT_TIMEOUT_IN_MS_PARAMETER, TIMEOUT_S * 1000);
    var chargerId = order.get("chargerId").getAsString();
    if (order.has("password")) {
      settings.setParameter(JSONConfiguration.USERNAME_PARAMETER, chargerId);
      settings.setParameter(JSONConfiguration.PASSWORD_PARAMETER, order.get("password").getAsString().getBytes(StandardCharsets.UTF_8));
    }
    client = new JSONClient(new ClientCoreProfile(handler(ClientCoreEventHandler.class)), chargerId, settings);
    client.addFeatureProfile(new ClientFirmwareManagementProfile(handler(ClientFirmwareManagementEventHandler.class)));
    client.addFeatureProfile(new ClientLocalAuthListProfile(handler(ClientLocalAuthListEventHandler.class)));
    client.addFeatureProfile(new ClientRemoteTriggerProfile(handler(ClientRemoteTriggerEventHandler.class)));
    client.addFeatureProfile(new ClientReservationProfile(handler(ClientReservationEventHandler.class)));
    client.addFeatureProfile(new ClientSmartChargingProfile(handler(ClientSmartChargingEventHandler.class)));
    client.addFeatureProfile(new ClientSecurityExtProfile(handler(ClientSecurityExtEventHandler.class)));
    // It puts a slash of its own before the identity.
    var url = order.get("url").getAsString().replaceAll("/$", "");
    if (url.startsWith("wss:")) client.enableWSS(trusted());
    var opened = new CompletableFuture<JsonObject>();
    client.connect(url, new ClientEvents() {
      @Override
      public void connectionOpened() {
        opened.complete(new JsonObject());
      }

      @Override
      public void connectionClosed() {
        opened.completeExceptionally(new IllegalStateException("the connection was refused"));
        report(event("closed"));
      }
    });
    return opened.get(TIMEOUT_S, TimeUnit.SECONDS);
  }

  private JsonElement call(String action, JsonElement payload) throws Exception {
    var request = model.unpackPayload(payload, modelOf(action + "Request", Request.class));
    return asJson(client.send(request).toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS));
  }

  private JsonObject close() {
    client.disconnect();
    return new JsonObject();
  }

  /** Reports the CALL and gives the answer that the test has laid ready, both by way of the stack's model. */
  private <T> T handler(Class<T> events) {
    return events.cast(Proxy.newProxyInstance(events.getClassLoader(), new Class<?>[] {events}, (self, method, given) -> {
      var action = method.getName().replaceAll("^handle|Request$", "");
      var event = event("call");
      event.addProperty("action", action);
      event.add("payload", asJson(given[0]));
      report(event);
      return answers.has(action)
          ? model.unpackPayload(answers.get(action), modelOf(action + "Confirmation", Confirmation.class))
          : null;
    }));
  }

  private <T> Class<? extends T> modelOf(String name, Class<T> kind) throws ClassNotFoundException {
    for (var part : PACKAGES) {
      try {
        return Class.forName(MODEL + part + "." + name).asSubclass(kind);
      } catch (ClassNotFoundException notHere) {
        continue;
      }
    }
    throw new ClassNotFoundException("the stack has no " + name);
  }

  private JsonElement asJson(Object message) {
    return JsonParser.parseString(model.packPayload(message).toString());
  }

  /** Trusts the certificate of the tested service and no other. */
  private static SSLContext trusted() throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var file = new FileInputStream(System.getenv("SSL_CERT_FILE"))) {
      store.setCertificateEntry("service", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static JsonObject event(String name) {
    var event = new JsonObject();
    event.addProperty("event", name);
    return event;
  }

  private static synchronized void report(JsonObject line) {
    var bytes = (new Gson().toJson(line) + "\n").getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }
}
