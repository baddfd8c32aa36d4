import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Quittance {
  private Quittance() {}

  /**
   * The value of X-Digest-Signature. The path has neither /api/v1 nor a query; body is the very bytes
   * that are sent, and not signed with GET.
   */
  static String signRequest(
      String secret, String path, String timestamp, String method, byte[] body)
      throws GeneralSecurityException {
    String verb = method.toUpperCase(Locale.ROOT);
    Mac mac = hmac(secret.getBytes(UTF_8));
    mac.update((path.toLowerCase(Locale.ROOT) + timestamp + verb).getBytes(UTF_8));
    if (!verb.equals("GET")) mac.update(body);
    return HexFormat.of().formatHex(mac.doFinal());
  }

  /**
   * Whether a webhook comes from the service: Standard Webhooks, with the secret whsec_…. body is the
   * body as it came, now and tolerance are seconds.
   */
  static boolean webhookIsGenuine(
      String secret,
      String id,
      String timestamp,
      String signatures,
      byte[] body,
      long now,
      long tolerance)
      throws GeneralSecurityException {
    if (!secret.startsWith("whsec_") || id.isEmpty() || !timestamp.matches("\\d{1,12}")) return false;
    if (Math.abs(now - Long.parseLong(timestamp)) > tolerance) return false;
    byte[] key;
    try {
      key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    } catch (IllegalArgumentException noBase64) {
      return false;
    }
    if (key.length < 24) return false;
    Mac mac = hmac(key);
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    byte[] sum = mac.doFinal(body);
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(sum)).getBytes(UTF_8);
    boolean isGenuine = false;
    for (String one : signatures.split(" ")) {
      isGenuine |= MessageDigest.isEqual(one.getBytes(UTF_8), expected);
    }
    return isGenuine;
  }

  /**
   * The same by X-Webhook-Auth and the API secret. It proves who sent the body, and not when.
   */
  static boolean webhookAuthIsGenuine(String apiSecret, String header, byte[] body)
      throws GeneralSecurityException {
    if (apiSecret.isBlank()) return false;
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(apiSecret.getBytes(UTF_8));
    String expected = HexFormat.of().formatHex(digest.digest(body));
    return MessageDigest.isEqual(header.getBytes(UTF_8), expected.getBytes(UTF_8));
  }

  private static Mac hmac(byte[] key) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac;
  }
}
