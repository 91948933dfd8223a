package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// docBlock is a block of code in a page of the documentation.
type docBlock struct{ kind, text string }

// docBlocks returns the blocks of a page that name a kind, in their order.
func docBlocks(t *testing.T, page string) (blocks []docBlock) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	must(t, err)
	for _, found := range regexp.MustCompile("(?ms)^```([a-z ]+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, docBlock{found[1], found[2]})
	}
	return blocks
}

// An operator follows the page from the line of cli_wallet to payments, with a wallet.json of cli_wallet: every command and every sample does what
// it is there for. Only addresses, and the recipient, are others.
func TestMigrationAsDocumented(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--genesis=testdata/genesis.json", "--listen=127.0.0.1:0", "--block-time=1s")
	folder, bin := testwallet.Folder(t), t.TempDir()
	program, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(program, filepath.Join(bin, "billfold")))
	legacy, err := os.ReadFile(filepath.Join("testdata", "wallet-legacy.json"))
	must(t, err)
	writeFile(t, folder, "wallet.json", string(legacy))
	passwords := "pass123\n" + linearPassword + "\n" + linearPassword + "\n"
	places := []string{"ws://127.0.0.1:8090", box.line(`^websocket +(ws://\S+)$`), "alice", "decent"}
	inFolder := func(cmd *exec.Cmd) *exec.Cmd {
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit, "HOME="+folder, "PATH="+bin+":"+os.Getenv("PATH"), "WALLET_PASSWORD="+linearPassword)
		return cmd
	}
	ran, paid := map[string]int{}, 0
	for _, block := range docBlocks(t, "migrate.md") {
		text := strings.NewReplacer(places...).Replace(block.text)
		ran[block.kind]++
		var cmd *exec.Cmd
		switch block.kind {
		case "sh server":
			words, err := splitAsShell(strings.NewReplacer("127.0.0.1:8091", "127.0.0.1:0", "127.0.0.1:8093", "127.0.0.1:0").Replace(text))
			must(t, err)
			cmd := exec.Command(program, words[1:]...)
			cmd.Dir = folder
			server := begin(t, "1", cmd)
			url := server.line(`^wallet API over HTTP on (http://\S+)$`)
			remote{t, url}.isReady(onlyLocked) // the ledger has made a block
			places = append(places, "http://127.0.0.1:8093/rpc", url)
			continue
		case "sh":
			cmd = exec.Command("/bin/sh", "-euc", text)
			cmd.Stdin = strings.NewReader(passwords)
		case "bash", "python", "js":
			cmd = exec.Command(map[string]string{"bash": "bash", "python": "python3", "js": "node"}[block.kind], writeFile(t, folder, "script."+block.kind, text))
			if cmd.Err != nil {
				t.Logf("the sample in %s was not run: %v", block.kind, cmd.Err)
				continue
			}
		default:
			t.Fatalf("nobody knows how to run %q", block.kind)
		}
		out, err := inFolder(cmd).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s\n%s", err, block.text, out)
		}
		if block.kind != "sh" {
			paid++
		}
	}
	if ran["sh"] != 3 || ran["sh server"] != 1 || ran["bash"] != 1 || ran["python"] != 1 || ran["js"] != 1 {
		t.Errorf("the page has %v", ran)
	}
	api := remote{t, places[len(places)-1]}
	if has, want := api.ok("list_account_balances", "decent"), fmt.Sprintf(`"%.8f DCT"`, 40_000_000+1.25*float64(paid)); !strings.Contains(has, want) {
		t.Errorf("after %d samples the recipient has %s, not %s", paid, has, want)
	}
}
