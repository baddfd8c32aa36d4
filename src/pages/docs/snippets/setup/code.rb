require "json"
require "net/http"
require "openssl"

QUITTANCE_URL = "{{url}}"
QUITTANCE_KEY = "{{key}}"
QUITTANCE_SECRET = "{{secret}}"

def quittance(method, path, body = nil)
  text = body.nil? ? "" : JSON.generate(body)
  base = URI("#{QUITTANCE_URL}/api/v1")
  time = JSON.parse(Net::HTTP.get(URI("#{base}/time")))["time"]
  signed = "#{path.split("?").first.downcase}#{time}#{method}#{text}"
  request = Net::HTTP.const_get(method.capitalize).new(URI("#{base}#{path}"))
  request["Content-Type"] = "application/json"
  request["X-Digest-Key"] = QUITTANCE_KEY
  request["X-Digest-Timestamp"] = time.to_s
  request["X-Digest-Signature"] = OpenSSL::HMAC.hexdigest("SHA256", QUITTANCE_SECRET, signed)
  request.body = text unless method == "GET"
  answer = Net::HTTP.start(base.host, base.port, use_ssl: base.scheme == "https") do |http|
    http.request(request)
  end
  raise "#{answer.code} #{answer["X-Error-Code"]} #{answer.body}" unless answer.code == "200"
  JSON.parse(answer.body)
end
