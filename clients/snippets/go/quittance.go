package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// SignRequest gives the value of X-Digest-Signature. The path has neither /api/v1 nor a query; body is
// the very bytes that are sent, and not signed with GET.
func SignRequest(secret, path, timestamp, method string, body []byte) string {
	verb := strings.ToUpper(method)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.ToLower(path) + timestamp + verb))
	if verb != "GET" {
		mac.Write(body)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// WebhookIsGenuine says whether a webhook comes from the service: Standard Webhooks, with the secret
// whsec_…. body is the body as it came, now and tolerance are seconds.
func WebhookIsGenuine(secret, id, timestamp, signatures string, body []byte, now, tolerance int64) bool {
	encoded, isSecret := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !isSecret || err != nil || len(key) < 24 || id == "" {
		return false
	}
	sent, err := strconv.ParseUint(timestamp, 10, 40)
	age := now - int64(sent)
	if err != nil || age > tolerance || -age > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(signatures, " ") {
		if subtle.ConstantTimeCompare([]byte(one), []byte(expected)) == 1 {
			return true
		}
	}
	return false
}

// WebhookAuthIsGenuine does the same by X-Webhook-Auth and the API secret. It proves who sent the body,
// and not when.
func WebhookAuthIsGenuine(apiSecret, header string, body []byte) bool {
	if strings.TrimSpace(apiSecret) == "" {
		return false
	}
	sum := sha256.Sum256(append([]byte(apiSecret), body...))
	return subtle.ConstantTimeCompare([]byte(header), []byte(hex.EncodeToString(sum[:]))) == 1
}
