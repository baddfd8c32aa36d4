# Needs curl, jq and openssl.
QUITTANCE_URL={{url}}
QUITTANCE_KEY={{key}}
QUITTANCE_SECRET={{secret}}

# quittance METHOD PATH [BODY]
quittance() {
  path=$(printf %s "${2%%\?*}" | tr 'A-Z' 'a-z')
  time=$(curl -sS "$QUITTANCE_URL/api/v1/time" | jq .time)
  signature=$(printf %s "$path$time$1${3-}" | openssl dgst -sha256 -hmac "$QUITTANCE_SECRET" -r)
  curl -sS -X "$1" "$QUITTANCE_URL/api/v1$2" ${3+--data-binary "$3"} \
    -H "Content-Type: application/json" \
    -H "X-Digest-Key: $QUITTANCE_KEY" \
    -H "X-Digest-Timestamp: $time" \
    -H "X-Digest-Signature: ${signature%% *}"
  echo
}
