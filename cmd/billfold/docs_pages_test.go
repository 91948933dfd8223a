package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Why commands are not run here.
const needsPostgreSQL = "it needs a PostgreSQL with a standby; TestServers… run it against one"

// docPages returns the pages by reader.
func docPages() []docPage {
	return []docPage{
		{file: "docs/people.md"},
		{
			file: "docs/exchanges.md",
			typed: map[string]string{
				"cat >wallet-password":           linearPassword + "\n",
				"cat >backup-password":           "sealing wax\n",
				"billfold call import_key alice": linearPassword + "\nALICE-KEY\n",
				"billfold call import_key bobby": linearPassword + "\nBOBBY-KEY\n",
			},
			saves: map[string]string{"daemon-url:": "pilot/config.yaml", "account,amount": "refunds.csv"},
			ends: map[string]int{
				"billfold call --to http://127.0.0.1:8093 --token-file deposits.token transfer":      1,
				"billfold call --to http://127.0.0.1:8093 --token-file deposits.token deposits.next": 1,
				"billfold --data-dir drill journal status":                                           1,
			},
			notRun: map[string]string{
				"billfold store init":   needsPostgreSQL,
				"billfold --store":      needsPostgreSQL,
				"billfold store status": needsPostgreSQL,
				"billfold servers":      needsPostgreSQL,
			},
		},
		{
			file: "docs/sandbox.md",
			typed: map[string]string{
				"":                         linearPassword + "\n" + linearPassword + "\n",
				"billfold call import_key": linearPassword + "\nALICE-KEY\n",
			},
			ends: map[string]int{`billfold call transfer alice bobby 2 DCT "" true refused-1`: 3},
		},
		{
			file:  "docs/migrate.md",
			typed: map[string]string{"": "pass123\n" + linearPassword + "\n" + linearPassword + "\n"},
			setUp: func(w *docWorld) { w.legacyWallet(); w.places = append(w.places, "alice", "decent") },
			check: func(w *docWorld) {
				w.hasReceived("decent", 40_000_000+1.25*float64(w.ran["bash"]+w.ran["python"]+w.ran["js"]))
			},
		},
	}
}

// legacyWallet starts the ledger of a wallet.json of cli_wallet, which is in the folder.
func (w *docWorld) legacyWallet() {
	w.t.Helper()
	genesis, err := filepath.Abs(filepath.Join("testdata", "genesis.json"))
	must(w.t, err)
	w.serve([]string{"sandbox", "--genesis=" + genesis, "--block-time=1s"})
	legacy, err := os.ReadFile(filepath.Join("testdata", "wallet-legacy.json"))
	must(w.t, err)
	writeFile(w.t, w.folder, "wallet.json", string(legacy))
}

// hasReceived fails unless an account has so much DCT.
func (w *docWorld) hasReceived(account string, amount float64) {
	w.t.Helper()
	if has, want := (remote{w.t, w.api}).ok("list_account_balances", account), fmt.Sprintf(`"%.8f DCT"`, amount); !strings.Contains(has, want) {
		w.t.Errorf("%s has %s, not %s", account, has, want)
	}
}
