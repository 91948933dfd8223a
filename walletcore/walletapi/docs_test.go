package walletapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/rpc")

// TestDocsAreFresh checks that docs/rpc matches the table, the recordings and the listed differences; "make docs"
// rewrites it.
func TestDocsAreFresh(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "rpc")
	want := docs(t)
	if *update {
		must(t, os.RemoveAll(folder))
		must(t, os.MkdirAll(folder, 0o755))
	}
	for name, text := range want {
		path := filepath.Join(folder, name)
		if *update {
			must(t, os.WriteFile(path, text, 0o644))
		}
		if got, err := os.ReadFile(path); err != nil {
			t.Errorf("%v; run make docs", err)
		} else if !bytes.Equal(got, text) {
			t.Errorf("docs/rpc/%s differs from the table; run make docs", name)
		}
	}
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, f := range files {
		if want[f.Name()] == nil {
			t.Errorf("docs/rpc/%s belongs to no group; run make docs", f.Name())
		}
	}
}

// docs returns the files made from the table: the index with the comparison, a page for each group, and the OpenRPC document.
func docs(t *testing.T) map[string][]byte {
	t.Helper()
	raw, err := newTable(Methods()).openRPC("0").JSON()
	must(t, err)
	var pretty bytes.Buffer
	must(t, json.Indent(&pretty, raw, "", "  "))
	pretty.WriteByte('\n')
	seen, differ := readRecordings(t), readListed(t)
	files := map[string][]byte{"openrpc.json": pretty.Bytes(), "README.md": indexPage(t, seen, differ)}
	for _, group := range groups() {
		var page bytes.Buffer
		fmt.Fprintf(&page, "# %s\n\nMade from the catalogue by `make docs`; [all groups](README.md).\n", group)
		for _, m := range Methods() {
			if m.Group == group {
				m.section(&page, seen[m.Name], differ[m.Name])
			}
		}
		if pageOf(group) == "events.md" {
			writeTopics(&page)
		}
		files[pageOf(group)] = page.Bytes()
	}
	return files
}

// writeTopics writes what events carry.
func writeTopics(b *bytes.Buffer) {
	b.WriteString("\n## Topics\n\nAn event is a request without id: `{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{\"seq\":…,\"position\":…,\"topic\":…,\"data\":…}}`. " +
		"Its position is given to `subscribe` after the connection broke.\n\n| topic | event | data |\n|---|---|---|\n")
	for _, t := range Topics() {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.Name, cell(t.Help), cell(t.Data()))
	}
	fmt.Fprintf(b, "| `%s` | comes to every subscriber that missed events: it fell too far behind, gave a position that is not known any more, "+
		"or is at another server; read your copy again | text |\n", Resync)
}

// groups returns the headings of the table, in its order.
func groups() (list []string) {
	for _, m := range Methods() {
		if !slices.Contains(list, m.Group) {
			list = append(list, m.Group)
		}
	}
	return list
}

// pageOf returns the file name of a group's page.
func pageOf(group string) string { return strings.ReplaceAll(strings.ToLower(group), " ", "-") + ".md" }

// section writes the description of one operation.
func (m *Method) section(b *bytes.Buffer, seen *recording, differs []string) {
	fmt.Fprintf(b, "\n## %s\n\n%s", m.Name, m.Help)
	if m.NeedsUnlock {
		b.WriteString(" The wallet must be unlocked.")
	}
	b.WriteString("\n")
	if len(m.params.params) > 0 {
		b.WriteString("\n| parameter | type | default | meaning |\n|---|---|---|---|\n")
		for _, p := range m.params.params {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, p.Type, defaultOf(p), meaningOf(p))
		}
	}
	fmt.Fprintf(b, "\n- result: %s\n- touches: %s\n- errors: %s\n", cell(m.Result), m.Touches, m.errorWords(seen))
	for _, d := range differs {
		fmt.Fprintf(b, "- differs from the reference: %s\n", d)
	}
	if example := m.example(seen); example != "" {
		b.WriteString("\n```\n" + example + "```\n")
	}
}

// defaultOf returns the value of a parameter that is left out, in words.
func defaultOf(p plannedParam) string {
	switch {
	case len(p.fallback) > 0:
		return "`" + string(p.fallback) + "`"
	case !p.Optional:
		return "required"
	case p.Type == "bool":
		return "`false`"
	case p.Type == "text":
		return "empty"
	case strings.HasPrefix(p.Type, "uint"), strings.HasPrefix(p.Type, "int"):
		return "0"
	}
	return "none"
}

// meaningOf returns the help of a parameter, with what its tags add.
func meaningOf(p plannedParam) string {
	words := []string{}
	if p.Help != "" {
		words = append(words, cell(p.Help))
	}
	if p.ByNameOnly {
		words = append(words, "by name only")
	}
	if p.Secret {
		words = append(words, "secret: asked for, or `-` on the command line")
	}
	return strings.Join(words, "; ")
}

// cell escapes text for a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
