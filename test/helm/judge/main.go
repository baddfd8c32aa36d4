// Reads what helm writes. `judge documents` says it as JSON; `judge monitors` says whether each
// ServiceMonitor in it is one as the operator itself knows them: no field that it does not have, and
// none of another type.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	stop(err)
	documents := []map[string]any{}
	monitors := 0
	for _, part := range strings.Split("\n"+string(text), "\n---") {
		document := map[string]any{}
		stop(yaml.Unmarshal([]byte(part), &document))
		if len(document) == 0 {
			continue
		}
		documents = append(documents, document)
		if document["kind"] == "ServiceMonitor" {
			monitors++
			stop(yaml.UnmarshalStrict([]byte(part), &monitoring.ServiceMonitor{}))
		}
	}
	if len(os.Args) == 2 && os.Args[1] == "monitors" {
		fmt.Println(monitors)
		return
	}
	stop(json.NewEncoder(os.Stdout).Encode(documents))
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
