package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Why commands are not run.
const (
	needsPostgreSQL = "it needs a PostgreSQL with a standby; docs/shared-store.md has the same commands, and is run with one"
	needsDatabase   = "it is for those who run the database or the load balancer; storetest makes a database with a standby"
	needsSystem     = "it installs what root installs, or asks systemd; make install-check and TestAnOperatorsDay do"
	needsLoss       = "it follows a loss; journal.txt in testdata/script and TestARestoredBackupPaysNothingTwice make one"
)

// aliceDemoKey is the public key of alice on the demo ledger.
const aliceDemoKey = "DCT5KEwPp3NjJ2Le6qZXpUgdb1a1iNVPjsaMrLFzeAKadizJ2k1y5"

// docsElsewhere are pages with blocks that are not run here, and why.
var docsElsewhere = map[string]string{
	"docs/develop.md":    "it is about the sources; TestExampleFits in internal/house reads it",
	"docs/benchmarks.md": "it has no commands but make's",
	"docs/keys.md":       "keys.yaml is read by TestKeyBindingsAreReadAsWritten, and the tables are written by make golden",
}

// docPages returns the pages by reader.
func docPages() []docPage {
	return []docPage{
		{file: "docs/people.md", notRun: map[string]string{"carol 12.5 rent": "it is typed into Send"}},
		{
			file:  "docs/shared-store.md",
			typed: map[string]string{"": linearPassword + "\n"},
			notRun: map[string]string{
				"callers ": "it is a picture", "CREATE ROLE": needsDatabase, "pg_basebackup": needsDatabase, "ALTER SYSTEM": needsDatabase, "  backend wallets": needsDatabase,
				"billfold store init   ": "it is for the other case, keys that never paid", "  billfold store accept": needsLoss, "billfold store claim": needsLoss,
			},
			setUp: func(w *docWorld) {
				w.places = append(w.places, "postgres://billfold@db.example/wallet", databaseWithStandby(w.t))
				w.ownWallet()
				must(w.t, os.Mkdir(w.here("/srv/wallet-1"), 0o700))
			},
			check: func(w *docWorld) {
				w.run(docStep{"sh", "billfold call unlock --to " + w.api, ""})
				for _, command := range []string{"billfold store status", "billfold servers", "billfold store verify"} {
					w.run(docStep{"sh", command, ""})
				}
			},
		},
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
				"export BILLFOLD_STORE": needsPostgreSQL, "billfold store init": needsPostgreSQL, "billfold --server-name": needsPostgreSQL,
				"billfold store status": needsPostgreSQL, "billfold servers": needsPostgreSQL,
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
			file:   "README.md",
			notRun: map[string]string{"make test": "it is this suite"},
			setUp:  func(w *docWorld) { w.serve([]string{"sandbox"}) },
		},
		{
			file:  "docs/examples/README.md",
			typed: map[string]string{"": sandboxPassword + "\n"},
		},
		{
			file:  "docs/operate.md",
			saves: map[string]string{"daemon-url:": "var/lib/billfold/config.yaml"},
			notRun: map[string]string{
				"CGO_ENABLED=0 go build": needsSystem, "install ": needsSystem, "systemd-": needsSystem, "systemctl ": needsSystem,
				"sudo -u": needsSystem, "(cat wallet-password": "the wallet of this page has its password elsewhere", "billfold call lock &&": "it follows the line before",
				"billfold store give-up": "no archive is lost; TestAnArchiveIsLost gives one up",
				"scrape_configs:":        "it is Prometheus' own file; TestPrometheusReadsTheFigures runs one",
				"curl --unix-socket /var/lib/billfold/rpc.sock -o profile": "go tool pprof builds itself first; the next line reads the same address",
			},
			setUp: func(w *docWorld) {
				w.ownWallet()
				w.serve([]string{"--data-dir=" + w.here("/var/lib/billfold"), "--rpc-socket", "--rpc-http"})
			},
		},
		{
			file:  "docs/backup.md",
			typed: map[string]string{"": "sealing wax\n" + linearPassword + "\n" + linearPassword + "\n", "billfold call": linearPassword + "\n"},
			notRun: map[string]string{
				"17 3 * * *":               "it is a line of cron; its two commands are run by docs/exchanges.md",
				"cp -n payments-before":    "nothing was archived; TestAStoreIsArchivedWhileItPays looks for archives",
				"age-keygen":               "age is a program of its own; TestEachRecipientOpensABackup seals to recipients and opens with identities",
				"billfold journal restore": needsLoss, "billfold journal accept": needsLoss, "billfold journal claim": needsLoss,
			},
			setUp: func(w *docWorld) {
				w.ownWallet()
				w.places = append(w.places, "made by billfold 0.1.0", "made by billfold unreleased")
			},
		},
		{
			file:  "docs/payouts.md",
			typed: map[string]string{"": linearPassword + "\n"},
			saves: map[string]string{"account,amount": "may.csv"},
			setUp: func(w *docWorld) {
				w.ownWallet() // which has less gold, and no terminal to be asked at
				w.places = append(w.places, "carol,300,ALX.GOLD", "carol,3,ALX.GOLD", "pay may.csv --from alice", "pay may.csv --from alice --yes")
			},
		},
		{
			file:   "docs/shell.md",
			typed:  map[string]string{"": linearPassword + "\n"},
			saves:  map[string]string{"transfer alice bobby 10": "lines.txt"},
			notRun: map[string]string{"billfold: payout.txt line 17": "console.txt in testdata/script has a file with an error"},
			setUp: func(w *docWorld) {
				w.ownWallet()
				writeFile(w.t, w.folder, "payout.txt", "unlock\ntransfer alice bobby 2 DCT \"\" true payout-1\n")
			},
			check: func(w *docWorld) {
				w.run(docStep{"sh", "(echo unlock; cat lines.txt) >all.txt; billfold console all.txt --yes", ""})
			},
		},
		{
			file:   "docs/reconcile.md",
			notRun: map[string]string{"DIFFERENCE ": "nothing differs here; TestWrongBalanceIsADifference makes one"},
			typed:  map[string]string{"": linearPassword + "\n"},
			setUp: func(w *docWorld) {
				w.ownWallet()
				w.serve([]string{"--rpc-socket", "--rpc-http"})
				w.places = append(w.places, "--account shop --from 2026-11-01 --until 2026-11-30", "--account alice", "shop,", "alice,")
			},
		},
		{
			file: "docs/linear.md",
			notRun: map[string]string{
				"billfold --linear": "TestDocumentedConversation holds it, with what is typed",
				"(cat password.txt": "the objects below it are of several runs; TestLinearScripts compares such",
			},
		},
		{
			file:   "docs/settings.md",
			saves:  map[string]string{"daemon-url:": ".billfold/default/config.yaml"},
			notRun: map[string]string{"rpc: http 127.0.0.1:8093": "TestStartLineNamesAllWhoMayCall compares the line"},
			setUp:  func(w *docWorld) { must(w.t, os.MkdirAll(filepath.Join(w.folder, ".billfold/default"), 0o700)) },
			check: func(w *docWorld) {
				w.run(docStep{"sh", "billfold token list", ""})
			},
		},
		{
			file:  "docs/content.md",
			typed: map[string]string{"": linearPassword + "\n"},
			setUp: func(w *docWorld) {
				w.serve([]string{"sandbox", "--seeders=2", "--block-time=1s"})
				w.wallet("", "alice", "ALICE-KEY")
				w.wallet("--data-dir=second", "bobby", "BOBBY-KEY")
				must(w.t, os.Mkdir(filepath.Join(w.folder, "song"), 0o700))
				writeFile(w.t, filepath.Join(w.folder, "song"), "one.txt", "la la la")
				must(w.t, os.Mkdir(filepath.Join(w.folder, "elsewhere"), 0o700))
				w.places = append(w.places, "content publish song", "content publish song --from alice --yes", // nobody can be asked
					"billfold content buy", "cd elsewhere && billfold --data-dir=../second content buy --from bobby --yes")
			},
			check: func(w *docWorld) {
				if text, err := os.ReadFile(filepath.Join(w.folder, "elsewhere", "song", "one.txt")); err != nil || string(text) != "la la la" {
					w.t.Errorf("the buyer has %q, %v", text, err)
				}
			},
		},
		{
			file:   "docs/transactions.md",
			typed:  map[string]string{"": linearPassword + "\n"},
			notRun: map[string]string{"billfold tx sign rent.json --yes --confirm": "what is typed belongs to that payment; TestFileOfALargePaymentNeedsMoreThanYes types its own"},
			setUp: func(w *docWorld) {
				w.ownWallet()
				w.wallet("--data-dir=second", "bobby", "BOBBY-KEY")
				const both = `'{"weight_threshold":2,"account_auths":[["1.2.17",1]],"key_auths":[["` + aliceDemoKey + `",1]]}'`
				w.quietly("billfold call update_account_keys_to_multisig alice "+both+" "+both+" "+aliceDemoKey+" true multisig-1", linearPassword+"\n")
				w.quietly("billfold call wait_payment multisig-1 irreversible 30", linearPassword+"\n")
				w.places = append(w.places, "treasury", "alice", "tx broadcast both.json", "tx broadcast both.json --yes --confirm 75.001", // nobody can be asked
					"tx sign rent.json --out", "--data-dir=second tx sign rent.json --yes --confirm 1.2.17 --out", "tx sign rent.json", "tx sign rent.json --yes --confirm 1.2.17")
			},
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

// ownWallet starts the demo ledger, and makes a wallet in the usual folder that has the key of alice.
func (w *docWorld) ownWallet() {
	w.t.Helper()
	w.serve([]string{"sandbox"})
	w.wallet("", "alice", "ALICE-KEY")
}

// wallet makes a wallet with the key of an account; flags say where.
func (w *docWorld) wallet(flags, account, key string) {
	w.t.Helper()
	w.quietly("billfold "+flags+" call set_password -", linearPassword+"\n")
	w.quietly("billfold "+flags+" call import_key "+account+" -", linearPassword+"\n"+key+"\n")
}

// quietly runs a command that is not on the page.
func (w *docWorld) quietly(command, typed string) {
	w.t.Helper()
	cmd := exec.Command("/bin/sh", "-euc", command)
	cmd.Dir, cmd.Env, cmd.Stdin = w.folder, append(os.Environ(), w.environment()...), strings.NewReader(w.here(typed))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%s: %v\n%s", command, err, out)
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
