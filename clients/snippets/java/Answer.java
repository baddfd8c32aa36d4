import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HexFormat;

/** Answers the questions of clients/snippets/test-client.mjs, one a line, fields in hex. */
public final class Answer {
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      byte[][] fields = new byte[words.length - 1][];
      for (int at = 1; at < words.length; at += 1) {
        fields[at - 1] = HexFormat.of().parseHex(words[at]);
      }
      System.out.println(answer(words[0], fields));
    }
  }

  private static Object answer(String what, byte[][] fields) throws Exception {
    String[] texts = new String[fields.length];
    for (int at = 0; at < fields.length; at += 1) texts[at] = new String(fields[at], UTF_8);
    return switch (what) {
      case "sign" -> Quittance.signRequest(texts[0], texts[1], texts[2], texts[3], fields[4]);
      case "verify" -> Quittance.webhookIsGenuine(
          texts[0],
          texts[1],
          texts[2],
          texts[3],
          fields[4],
          Long.parseLong(texts[5]),
          Long.parseLong(texts[6]));
      default -> Quittance.webhookAuthIsGenuine(texts[0], texts[1], fields[2]);
    };
  }
}
