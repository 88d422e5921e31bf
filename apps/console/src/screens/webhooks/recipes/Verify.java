import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Verify {
  /** headers: names in lower case; body: the bytes as they were received; now: seconds since 1970. */
  static boolean isAuthentic(String secret, Map<String, String> headers, byte[] body, long now)
      throws GeneralSecurityException {
    String id = headers.getOrDefault("webhook-id", "");
    String stamp = headers.getOrDefault("webhook-timestamp", "");
    // An old request may be one that somebody recorded.
    if (!stamp.matches("[0-9]{1,12}") || Math.abs(now - Long.parseLong(stamp)) > 300) return false;
    byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + stamp + ".").getBytes(UTF_8));
    byte[] own = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    for (String signature : headers.getOrDefault("webhook-signature", "").split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(UTF_8), own)) return true;
    }
    return false;
  }
}
