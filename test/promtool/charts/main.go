// Whether the charts of Grafana are what its own schema says: every field of a dashboard, its panels and
// their questions to Prometheus is known and of its type. Run by `npm run test:promtool`.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// The library gives a list of faults, and an empty one where there is none.
func isBad(what string, err error) bool {
	if err == nil || err.Error() == "" {
		return false
	}
	fmt.Println(what, err)
	return true
}

func check(file string) bool {
	raw, err := os.ReadFile(file)
	if isBad(file, err) {
		return false
	}
	var board dashboard.Dashboard
	isFaulty := isBad(file, board.UnmarshalJSONStrict(raw))
	isFaulty = isBad(file, board.Validate()) || isFaulty
	// Of questions the library says nothing where it reads them with their panel.
	var known struct {
		Panels []struct{ Targets []json.RawMessage }
	}
	isFaulty = isBad(file, json.Unmarshal(raw, &known)) || isFaulty
	count := 0
	for index, panel := range known.Panels {
		for _, target := range panel.Targets {
			var question prometheus.Dataquery
			what := fmt.Sprintf("%s, panel %d:", file, index)
			isFaulty = isBad(what, question.UnmarshalJSONStrict(target)) || isFaulty
			count++
		}
	}
	fmt.Printf("%d panels, %d questions\n", len(board.Panels), count)
	return !isFaulty && len(board.Panels) > 0 && count >= len(board.Panels)
}

func main() {
	plugins.RegisterDefaultPlugins()
	isFine := len(os.Args) > 1
	for _, file := range os.Args[1:] {
		isFine = check(file) && isFine
	}
	if !isFine {
		os.Exit(1)
	}
}
