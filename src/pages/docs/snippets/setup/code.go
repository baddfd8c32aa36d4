package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	quittanceURL    = "{{url}}"
	quittanceKey    = "{{key}}"
	quittanceSecret = "{{secret}}"
)

func quittance(method, path, body string) map[string]any {
	var clock struct{ Time int64 }
	must(json.Unmarshal(send("GET", "/time", "", nil), &clock))
	time := strconv.FormatInt(clock.Time, 10)
	route, _, _ := strings.Cut(path, "?")
	mac := hmac.New(sha256.New, []byte(quittanceSecret))
	mac.Write([]byte(strings.ToLower(route) + time + method + body))
	var answer map[string]any
	must(json.Unmarshal(send(method, path, body, map[string]string{
		"Content-Type":       "application/json",
		"X-Digest-Key":       quittanceKey,
		"X-Digest-Timestamp": time,
		"X-Digest-Signature": hex.EncodeToString(mac.Sum(nil)),
	}), &answer))
	return answer
}

func send(method, path, body string, headers map[string]string) []byte {
	request, err := http.NewRequest(method, quittanceURL+"/api/v1"+path, strings.NewReader(body))
	must(err)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(err)
	if answer.StatusCode != 200 {
		panic(fmt.Sprintf("%d %s %s", answer.StatusCode, answer.Header.Get("X-Error-Code"), text))
	}
	return text
}

func textAt(answer any, path ...string) string {
	for _, name := range path {
		if list, ok := answer.([]any); ok {
			at, _ := strconv.Atoi(name)
			answer = list[at]
		} else {
			answer = answer.(map[string]any)[name]
		}
	}
	return fmt.Sprint(answer)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
