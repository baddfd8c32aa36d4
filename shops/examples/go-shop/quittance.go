package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

// Refused is an answer of the service that is not 200.
type Refused struct {
	Status int
	Code   string
	Body   string
}

func (refused *Refused) Error() string {
	return fmt.Sprintf("%d %s %s", refused.Status, refused.Code, refused.Body)
}

// ask carries out one call, signed with the time of the service. The same key with the same body has
// its effect once; it is empty for GET.
func ask(method, path, idempotencyKey string, body, answer any) error {
	text := ""
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = string(encoded)
	}
	var clock struct{ Time int64 }
	if err := send("GET", "/time", "", nil, &clock); err != nil {
		return err
	}
	timestamp := strconv.FormatInt(clock.Time, 10)
	route, _, _ := strings.Cut(path, "?")
	headers := map[string]string{
		"X-Digest-Key":       os.Getenv("QUITTANCE_KEY"),
		"X-Digest-Timestamp": timestamp,
		"X-Digest-Signature": SignRequest(os.Getenv("QUITTANCE_SECRET"), route, timestamp, method, []byte(text)),
	}
	if method == "POST" {
		headers["Content-Type"] = "application/json"
		headers["Idempotency-Key"] = idempotencyKey
	}
	return send(method, path, text, headers, answer)
}

func send(method, path, body string, headers map[string]string, answer any) error {
	url := os.Getenv("QUITTANCE_URL") + "/api/v1" + path
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != 200 {
		return &Refused{response.StatusCode, response.Header.Get("X-Error-Code"), string(text)}
	}
	return json.Unmarshal(text, answer)
}
