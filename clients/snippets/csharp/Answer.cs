using System;
using System.IO;
using System.Linq;
using System.Text;

/// Answers the questions of clients/snippets/test-client.mjs, one a line, fields in hex.
static class Answer
{
    static void Main()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
        for (var line = lines.ReadLine(); line != null; line = lines.ReadLine())
        {
            var words = line.Split(' ');
            var fields = words.Skip(1).Select(Bytes).ToArray();
            Console.WriteLine(Of(words[0], fields, fields.Select(Encoding.UTF8.GetString).ToArray()));
        }
    }

    static string Of(string what, byte[][] fields, string[] texts)
    {
        if (what == "sign")
        {
            return Quittance.SignRequest(texts[0], texts[1], texts[2], texts[3], fields[4]);
        }
        var isGenuine = what == "verify"
            ? Quittance.WebhookIsGenuine(
                texts[0], texts[1], texts[2], texts[3], fields[4], long.Parse(texts[5]),
                long.Parse(texts[6]))
            : Quittance.WebhookAuthIsGenuine(texts[0], texts[1], fields[2]);
        return isGenuine ? "true" : "false";
    }

    static byte[] Bytes(string hex)
    {
        return Enumerable.Range(0, hex.Length / 2)
            .Select(at => Convert.ToByte(hex.Substring(2 * at, 2), 16)).ToArray();
    }
}
