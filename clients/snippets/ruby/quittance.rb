require "base64"
require "openssl"

# The value of X-Digest-Signature. `path` has neither /api/v1 nor a query; `body` is the very text
# that is sent, and empty with GET.
def sign_request(secret, path, timestamp, method, body)
  verb = method.upcase
  signed = "#{path.downcase}#{timestamp}#{verb}".b
  signed << body.b unless verb == "GET"
  OpenSSL::HMAC.hexdigest("SHA256", secret, signed)
end

# Whether a webhook comes from the service: Standard Webhooks, with the secret whsec_….
# `body` is the body as it came.
def webhook_genuine?(secret, id, timestamp, signatures, body, now = Time.now.to_i, tolerance = 300)
  return false unless secret.start_with?("whsec_") && timestamp.match?(/\A\d{1,12}\z/)
  return false if id.empty? || (now - timestamp.to_i).abs > tolerance

  key = Base64.strict_decode64(secret.delete_prefix("whsec_"))
  return false if key.bytesize < 24

  signed = "#{id}.#{timestamp}.".b + body.b
  expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, signed))}"
  signatures.split(" ").any? { |one| OpenSSL.secure_compare(one, expected) }
rescue ArgumentError
  false # The secret is no base64.
end

# The same by X-Webhook-Auth and the API secret. It proves who sent the body, and not when.
def webhook_auth_genuine?(api_secret, header, body)
  return false if api_secret.strip.empty?

  expected = OpenSSL::Digest::SHA256.hexdigest(api_secret.b + body.b)
  OpenSSL.secure_compare(header, expected)
end
