// Answers the questions of clients/snippets/test-client.mjs, one a line, fields in hex.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		fields := make([]string, 0, len(words))
		for _, word := range words[1:] {
			bytes, _ := hex.DecodeString(word)
			fields = append(fields, string(bytes))
		}
		switch words[0] {
		case "sign":
			fmt.Println(SignRequest(fields[0], fields[1], fields[2], fields[3], []byte(fields[4])))
		case "verify":
			now, _ := strconv.ParseInt(fields[5], 10, 64)
			tolerance, _ := strconv.ParseInt(fields[6], 10, 64)
			body := []byte(fields[4])
			fmt.Println(WebhookIsGenuine(fields[0], fields[1], fields[2], fields[3], body, now, tolerance))
		case "auth":
			fmt.Println(WebhookAuthIsGenuine(fields[0], fields[1], []byte(fields[2])))
		}
	}
}
