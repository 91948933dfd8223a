package linear_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// members returns the member names of the JSON objects in text, one object a line.
func members(t *testing.T, text string) (names []string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil || len(object) == 0 {
			t.Errorf("a line is not a JSON object: %s", line)
		}
		for name := range object {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Every line of JSON output is one object, and the members are exactly those in docs/linear.md.
func TestJSONMembersAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/linear.md")
	uitest.Must(t, err)
	var documented []string
	_, table, _ := strings.Cut(string(page), "| member | means |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)`").FindAllStringSubmatch(table, -1) {
		documented = append(documented, row[1])
	}
	slices.Sort(documented)
	_, example, _ := strings.Cut(string(page), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	if got := members(t, example); !slices.Equal(got, documented) {
		t.Errorf("the example has %q, the table %q", got, documented)
	}
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, func(o *linear.Options) { o.JSON = true }, "history", "1", "repeat", "send", "carol", "1",
			"\u017eivo \U0001f686", "2", "json", "sign", pause(2*time.Minute), "", "events", "nonsense",
			"send nobody-here", "", "stop", "where", "help", "keys", "1", "contacts",
			"messages", "sign", "assets", "node", "rpc", "settings", "receive", "console",
			"lock", "unlock", "wrong", uitest.Password, "quit", "quit")
		if got := members(t, output); !slices.Equal(got, documented) {
			t.Errorf("the members are %q, documented are %q", got, documented)
		}
		if !strings.Contains(output, `\"\u017eivo \ud83d\ude86\"`) {
			t.Errorf("the memo is not escaped as in JSON:\n%s", output)
		}
	})
}
