package walletapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/rpc anew")

// TestDocsAreFresh holds docs/rpc to the table; "make docs" writes it again.
func TestDocsAreFresh(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "rpc")
	for name, want := range docs(t) {
		path := filepath.Join(folder, name)
		if *update {
			must(t, os.MkdirAll(folder, 0o755))
			must(t, os.WriteFile(path, want, 0o644))
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/rpc/%s does not say what the table says (%v); run make docs", name, err)
		}
	}
}

// docs are the files made from the table.
func docs(t *testing.T) map[string][]byte {
	t.Helper()
	raw, err := newTable(Methods()).openRPC("0").JSON()
	must(t, err)
	var pretty bytes.Buffer
	must(t, json.Indent(&pretty, raw, "", "  "))
	pretty.WriteByte('\n')
	return map[string][]byte{"openrpc.json": pretty.Bytes(), "README.md": markdown()}
}

func markdown() []byte {
	var b bytes.Buffer
	b.WriteString("# The wallet's operations\n\nMade from the table in `walletcore/walletapi` by `make docs`; the same as an OpenRPC document: [openrpc.json](openrpc.json),\nor `rpc.discover` over RPC. " + documentText + "\n")
	group := ""
	for _, m := range Methods() {
		if m.Group != group {
			group = m.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		m.markdown(&b)
	}
	return b.Bytes()
}

func (m *Method) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n### %s\n\n%s", m.Name, m.Help)
	if m.NeedsUnlock {
		b.WriteString(" The wallet must be unlocked.")
	}
	b.WriteString("\n\n")
	for _, p := range m.Params {
		words := []string{p.Type}
		if p.Optional {
			words = append(words, "optional")
		}
		if p.Help != "" {
			words = append(words, p.Help)
		}
		fmt.Fprintf(b, "- `%s`: %s\n", p.Name, strings.Join(words, "; "))
	}
	fmt.Fprintf(b, "- result: %s\n- touches: %s\n", m.Result, m.Touches)
	for _, e := range m.Examples {
		b.WriteString("\n      " + strings.TrimSpace(m.Name+" "+e) + "\n")
	}
}
