package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// wallet stands for the wallet and those of its parts that all packages above it may import.
const wallet = "walletcore and its parts"

var walletParts = []string{
	"walletcore",
	"walletcore/txbuild",
	"walletcore/contact",
	"walletcore/content",
	"walletcore/cosign",
	"walletcore/draft",
	"walletcore/event",
	"walletcore/fault",
	"walletcore/balance",
	"walletcore/history",
	"walletcore/historyindex", // the history's filter is that of the index
	"walletcore/ledgerview",
	"walletcore/paper",
	"walletcore/payment",
	"walletcore/proposal",
	"walletcore/vault",
}

// allowed lists the packages of this module that a package may import. Packages that are
// not named here must not exist. A package may always import those below itself.
var allowed = map[string][]string{
	"ledger":              {},
	"content":             {"ledger"}, // keys, custody and packages of content; the wallet and the sandbox use them
	"keystore":            {"ledger"},
	"daemonclient":        {"ledger"},
	"sandbox":             {"ledger", "content", "sandbox/api", "sandbox/chain", "sandbox/chain/state"},
	"sandbox/api":         {"ledger", "content", "sandbox/chain", "sandbox/chain/state"},
	"sandbox/chain":       {"ledger", "content", "sandbox/chain/state"},
	"sandbox/chain/state": {"ledger"},
	"walletcore": {
		"ledger", "content", "keystore", "daemonclient", "walletcore/fault", "walletcore/store/sqlite",
		"walletcore/historyindex", "walletcore/event", "walletcore/ledgerview", "walletcore/vault",
		"walletcore/history", "walletcore/store", "walletcore/finality",
		"walletcore/txbuild", "walletcore/payment", "walletcore/deposit", "walletcore/draft", "walletcore/contact", "walletcore/cosign",
		"walletcore/label", "walletcore/paper", "walletcore/ownobject", "walletcore/handle", "walletcore/content",
	},
	"walletcore/event":        {"ledger"},
	"walletcore/ledgerview":   {"ledger", "daemonclient", "walletcore/fault", "walletcore/event", "walletcore/store", "walletcore/spelling"},
	"walletcore/vault":        {"ledger", "keystore", "content", "walletcore/fault", "walletcore/event", "walletcore/ledgerview"},
	"walletcore/paper":        {"ledger", "walletcore/fault", "walletcore/store"},
	"walletcore/database":     {},
	"walletcore/store":        {"ledger", "walletcore/finality"},
	"walletcore/finality":     {"ledger"},
	"walletcore/store/sqlite": {"ledger", "walletcore/database", "walletcore/store"},
	"walletcore/historyindex": {"ledger", "walletcore/database"},
	"walletcore/backup":       {"ledger", "keystore", "walletcore/database", "walletcore/store", "walletcore/store/sqlite"},
	"walletcore/history": {
		"ledger", "keystore", "daemonclient", "walletcore/fault", "walletcore/event", "walletcore/ledgerview",
		"walletcore/vault", "walletcore/historyindex", "walletcore/finality", "walletcore/label", "walletcore/spelling",
	},
	"walletcore/label":    {"ledger", "walletcore/fault", "walletcore/store", "walletcore/vault", "walletcore/seal"},
	"walletcore/cosign":   {"ledger", "walletcore/fault"},
	"walletcore/proposal": {"ledger", "walletcore/fault", "walletcore/ledgerview", "walletcore/txbuild"},
	"walletcore/handle":   {"ledger", "walletcore/fault", "walletcore/store"},
	"walletcore/txbuild": {
		"content",
		"ledger", "keystore", "daemonclient", "walletcore/fault", "walletcore/ledgerview", "walletcore/vault", "walletcore/history",
		"walletcore/contact", "walletcore/ownobject", "walletcore/store",
	},
	"walletcore/payment": {
		"ledger", "keystore", "daemonclient", "walletcore/fault", "walletcore/event", "walletcore/ledgerview",
		"walletcore/txbuild", "walletcore/historyindex", "walletcore/store", "walletcore/store/sqlite", "walletcore/finality",
		"walletcore/payout", "walletcore/ownobject",
	},
	"walletcore/ownobject": {"ledger", "daemonclient", "walletcore/fault", "walletcore/event", "walletcore/ledgerview", "walletcore/history", "walletcore/store"},
	"walletcore/draft":     {"ledger", "walletcore/txbuild", "walletcore/fault", "walletcore/store", "walletcore/vault", "walletcore/seal"},
	"walletcore/contact":   {"ledger", "walletcore/fault", "walletcore/ledgerview", "walletcore/store", "walletcore/vault", "walletcore/seal"},
	"walletcore/content": {
		"ledger", "content", "walletcore/fault", "walletcore/event", "walletcore/ledgerview", "walletcore/vault", "walletcore/seal",
		"walletcore/txbuild", "walletcore/payment",
	},
	"walletcore/seal":      {"ledger", "walletcore/fault", "walletcore/vault"},
	"walletcore/approval":  {"walletcore/txbuild"},
	"walletcore/fault":     {"ledger", "keystore", "daemonclient", "walletcore/database"},
	"walletcore/walletapi": {"ledger", "content", wallet, "walletcore/deposit", "walletcore/handle", "walletcore/payout", "walletcore/reconcile", "walletcore/spelling"},
	"walletcore/spelling":  {},
	"walletcore/payout":    {"ledger", "walletcore/ledgerview", "walletcore/spelling"},
	"walletcore/paytable":  {"ledger", "walletcore/fault", "walletcore/ledgerview", "walletcore/payment", "walletcore/payout", "walletcore/store", "walletcore/txbuild"},
	"walletcore/balance":   {"ledger", "walletcore/historyindex"},
	"walletcore/reconcile": {"ledger", "daemonclient", "walletcore/balance", "walletcore/fault", "walletcore/history", "walletcore/historyindex", "walletcore/ledgerview"},
	"walletcore/deposit": {
		"ledger", "daemonclient", "walletcore/fault", "walletcore/ledgerview", "walletcore/vault",
		"walletcore/history", "walletcore/historyindex", "walletcore/finality", "walletcore/store",
	},
	"walletcore/testwallet": {"ledger", "content", "keystore", "daemonclient", "sandbox", wallet, "walletcore/store", "walletcore/store/sqlite", "walletcore/testwallet", "internal"}, // for tests; nothing above may import it
	"walletcore/storetest":  {"walletcore/database"},                                                                                                                                  // for tests: a PostgreSQL, and faults between a file and its driver
	"rpcserver":             {"ledger", wallet, "walletcore/approval", "walletcore/store", "walletcore/walletapi", "walletcore/deposit", "walletcore/spelling"},
	"rpcserver/figures":     {"daemonclient", "walletcore/store", "walletcore/walletapi", wallet},
	"tui":                   {"ledger", wallet, "walletcore/approval", "walletcore/payout", "walletcore/paytable", "walletcore/walletapi", "walletcore/label", "walletcore/spelling", "walletcore/commandline"},
	"tui/uitest":            {"ledger", "keystore", "daemonclient", "sandbox", "sandbox/chain", "tui", wallet, "walletcore/historyindex", "walletcore/store", "walletcore/store/sqlite", "walletcore/testwallet"}, // for tests
	"cmd/billfold":          {"ledger", "content", "keystore", "daemonclient", "sandbox", "sandbox/api", "packaging", wallet, "walletcore/approval", "walletcore/backup", "walletcore/walletapi", "rpcserver", "rpcserver/figures", "tui", "walletcore/deposit", "walletcore/payout", "walletcore/reconcile", "walletcore/spelling", "walletcore/historyindex", "walletcore/store", "walletcore/store/sqlite", "walletcore/database"},
	"internal":              {}, // the tools of make check
	"osfile":                {}, // what each system does with files in its own way
	"packaging":             {}, // what an operator installs, as text
}

// onlyIn lists libraries that only some packages may import.
var onlyIn = map[string][]string{
	"github.com/charmbracelet/":    {"tui", "tui/uitest"},
	"github.com/gorilla/websocket": {"daemonclient", "sandbox", "rpcserver", "walletcore/testwallet"},
	"github.com/spf13/":            {"cmd/billfold"},
	"github.com/decred/":           {"ledger"},
	"github.com/prometheus/":       {"rpcserver/figures"},
	"golang.org/x/crypto/argon2":   {"keystore"},
	"modernc.org/sqlite":           {"walletcore/database", "walletcore/historyindex"}, // the latter reads its error codes
}

// everywhere lists packages that any package may import, as it may the standard library.
var everywhere = []string{"osfile"}

var badNames = []string{"util", "utils", "common", "helpers", "shared", "types", "misc", "base"}

// house returns the declared package that dir belongs to: itself or the nearest above.
func house(dir string) string {
	for d := dir; d != "."; d = filepath.ToSlash(filepath.Dir(d)) {
		if _, ok := allowed[d]; ok {
			return d
		}
	}
	return ""
}

func TestImportDirections(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (strings.HasPrefix(name, ".") && name != "." && name != ".." || name == "testdata") {
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(root, path)
		if !d.IsDir() && strings.HasSuffix(name, ".go") {
			checkImports(t, path, filepath.ToSlash(filepath.Dir(rel)), strings.HasSuffix(name, "_test.go"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkImports(t *testing.T, path, dir string, test bool) {
	own := house(dir)
	if own == "" {
		t.Errorf("%s: the package %s is not part of the house: say in allowed, in this file, what it may import", path, dir)
		return
	}
	for _, bad := range badNames {
		if filepath.Base(dir) == bad {
			t.Errorf("%s: no package is called %s: name it after the noun that is in it", path, bad)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		if inner, ok := strings.CutPrefix(imported, "billfold/"); ok && !test {
			checkInner(t, path, own, inner)
		}
		for library, places := range onlyIn {
			if strings.HasPrefix(imported, library) && !contains(places, own) && !test {
				t.Errorf("%s imports %s, which belongs to %v: use what these export", path, imported, places)
			}
		}
	}
}

func checkInner(t *testing.T, path, own, inner string) {
	target := house(inner)
	isPart := contains(allowed[own], wallet) && contains(walletParts, target)
	if target != own && !isPart && !contains(allowed[own], target) && !contains(everywhere, target) {
		t.Errorf("%s: %s must not import %s: declare an interface of what it needs, or move that below both", path, own, inner)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
