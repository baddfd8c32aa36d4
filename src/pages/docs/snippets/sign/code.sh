# path without /api/v1 and without the query, in lower case; body as it is sent, empty for GET
printf %s "$path$time$method$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d' ' -f1
