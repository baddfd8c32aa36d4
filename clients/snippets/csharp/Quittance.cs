using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

static class Quittance
{
    /// The value of X-Digest-Signature. The path has neither /api/v1 nor a query; body is the very bytes
    /// that are sent, and not signed with GET.
    public static string SignRequest(
        string secret, string path, string timestamp, string method, byte[] body)
    {
        var verb = method.ToUpperInvariant();
        var head = Encoding.UTF8.GetBytes(path.ToLowerInvariant() + timestamp + verb);
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            return Hex(hmac.ComputeHash(verb == "GET" ? head : Join(head, body)));
        }
    }

    /// Whether a webhook comes from the service: Standard Webhooks, with the secret whsec_…. body is the
    /// body as it came, now and tolerance are seconds.
    public static bool WebhookIsGenuine(
        string secret, string id, string timestamp, string signatures, byte[] body, long now,
        long tolerance = 300)
    {
        if (!secret.StartsWith("whsec_", StringComparison.Ordinal) || id == "") return false;
        if (!Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z")) return false;
        if (Math.Abs(now - long.Parse(timestamp)) > tolerance) return false;
        byte[] key;
        try { key = Convert.FromBase64String(secret.Substring("whsec_".Length)); }
        catch (FormatException) { return false; }
        if (key.Length < 24) return false;
        using (var hmac = new HMACSHA256(key))
        {
            var signed = Join(Encoding.UTF8.GetBytes(id + "." + timestamp + "."), body);
            var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
            return signatures.Split(' ').Count(one => IsEqual(one, expected)) > 0;
        }
    }

    /// The same by X-Webhook-Auth and the API secret. It proves who sent the body, and not when.
    public static bool WebhookAuthIsGenuine(string apiSecret, string header, byte[] body)
    {
        if (string.IsNullOrWhiteSpace(apiSecret)) return false;
        using (var sha = SHA256.Create())
        {
            return IsEqual(header, Hex(sha.ComputeHash(Join(Encoding.UTF8.GetBytes(apiSecret), body))));
        }
    }

    /// Takes as long for the first letter that differs as for the last.
    static bool IsEqual(string one, string other)
    {
        if (one.Length != other.Length) return false;
        var difference = 0;
        for (var at = 0; at < one.Length; at += 1) difference |= one[at] ^ other[at];
        return difference == 0;
    }

    static byte[] Join(byte[] head, byte[] rest)
    {
        return head.Concat(rest).ToArray();
    }

    static string Hex(byte[] bytes)
    {
        return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
    }
}
