using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

const string Url = "{{url}}";
const string Key = "{{key}}";
const string Secret = "{{secret}}";
var http = new HttpClient();

async Task<JsonElement> Quittance(string method, string path, string body = "")
{
    var clock = JsonDocument.Parse(await http.GetStringAsync($"{Url}/api/v1/time"));
    var time = clock.RootElement.GetProperty("time").GetInt64();
    var signed = $"{path.Split('?')[0].ToLowerInvariant()}{time}{method}{body}";
    var signature = HMACSHA256.HashData(Encoding.UTF8.GetBytes(Secret), Encoding.UTF8.GetBytes(signed));
    var request = new HttpRequestMessage(new HttpMethod(method), $"{Url}/api/v1{path}");
    if (method != "GET") request.Content = new StringContent(body, Encoding.UTF8, "application/json");
    request.Headers.Add("X-Digest-Key", Key);
    request.Headers.Add("X-Digest-Timestamp", time.ToString());
    request.Headers.Add("X-Digest-Signature", Convert.ToHexString(signature).ToLowerInvariant());
    var answer = await http.SendAsync(request);
    var text = await answer.Content.ReadAsStringAsync();
    if ((int)answer.StatusCode != 200) throw new Exception($"{(int)answer.StatusCode} {text}");
    return JsonDocument.Parse(text).RootElement;
}

string TextAt(JsonElement answer, params string[] path)
{
    foreach (var name in path)
        answer = answer.ValueKind == JsonValueKind.Array ? answer[int.Parse(name)] : answer.GetProperty(name);
    return answer.ToString();
}
