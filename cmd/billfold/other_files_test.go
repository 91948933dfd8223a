package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file of a wallet that stands in place of another one is told as what it is, with what takes it.
func TestFilesOfAWalletAreNamed(t *testing.T) {
	folder := t.TempDir()
	must(t, os.Chmod(folder, 0o700))
	t.Chdir(folder)
	legacy := "{\n  \"chain_id\": \"" + strings.Repeat("0", 64) + "\",\n  \"my_accounts\": [],\n  \"cipher_keys\": \"00\"\n}" + strings.Repeat("\n", 8<<10) // as cli_wallet lays it out
	const backupHead = `{"format":"billfold-backup","version":1,"kdf":{}}` + "\n\x00\xff\n"
	for name, text := range map[string]string{"a.backup": backupHead + strings.Repeat("\x01", 8<<10), "a.keys": `{"format":"billfold-keystore","version":1}` + "\n{}\n", "wallet.json": legacy} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	const isBackup, isKeys, isLegacy = "billfold restore FILE puts it back", "the key file of a wallet", "cli_wallet"
	for _, line := range []string{"import", "tx inspect", "tx sign", "tx broadcast", "console", "pay", "pay --verify", "restore", "restore --check", "store claim --file",
		"sandbox --listen=127.0.0.1:0 --genesis", "status --to=socket --token-file",
		"status --data-dir", "store --store=postgres://billfold@127.0.0.1/none init --from", "store --store=postgres://billfold@127.0.0.1/none export"} {
		for file, want := range map[string]string{"a.backup": isBackup, "a.keys": isKeys, "wallet.json": isLegacy} {
			switch {
			case strings.HasPrefix(line, "restore") && file == "a.backup", line == "import" && file == "wallet.json": // taken
				continue
			}
			args := append(strings.Fields(line), file)
			if !strings.HasPrefix(line, "sandbox") && !strings.HasSuffix(line, "--data-dir") {
				args = append(args, "--data-dir="+filepath.Join(folder, "wallet"))
			}
			if out := printed(t, args...); !strings.Contains(out, want) {
				t.Errorf("billfold %s %s: %s", line, file, out)
			}
		}
	}
}
