package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// Content is published and bought by commands that are killed again and again: it is offered once, paid once, and extracted whole or not at all.
// CONTENT_KILLS says how many times in all, CONTENT_SEED repeats a run.
func TestContentByCommandsThatAreKilled(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	kills, _ := strconv.Atoi(cmp.Or(os.Getenv("CONTENT_KILLS"), "8"))
	seed, err := strconv.ParseUint(os.Getenv("CONTENT_SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // not used for secrets
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--seeders=2", "--fund=alice=1000 DCT")
	r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
	k := killedContent{payoutRun: &r, random: random, address: box.line(`^IPFS +(http://\S+)$`), place: testwallet.Folder(t)}
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	rounds := 0
	for ; k.kills < kills; rounds++ {
		k.round(rounds)
	}
	var listed struct {
		Published, Bought []json.RawMessage
		Tasks             []struct{ State, Reason string }
	}
	k.read(&listed, "content", "list", "--json")
	for _, task := range listed.Tasks {
		if task.State != "done" {
			t.Errorf("a task is left: %+v", task)
		}
	}
	paid := map[string]int{}
	var payments []struct {
		State string
		Key   string `json:"request_key"`
	}
	k.read(&payments, "call", "list_payments", "1000")
	for _, p := range payments {
		kind, _, _ := strings.Cut(p.Key, "/")
		kind, _, _ = strings.Cut(kind, " ")
		paid[kind+" "+p.State]++
	}
	t.Logf("seed %d: %d rounds, %d kills, %d more came too late; the command given again said %v; the journal has %v", seed, rounds, k.kills, k.late, k.left, paid)
	happened := func(kind string) int { return paid[kind+" sent"] + paid[kind+" in_block"] + paid[kind+" irreversible"] }
	if len(listed.Published) != rounds || len(listed.Bought) != rounds || happened("content") != rounds || happened("submit_content_async") != rounds {
		t.Errorf("%d were published and %d bought in %d rounds", len(listed.Published), len(listed.Bought), rounds)
	}
}

// killedContent publishes and buys by commands that are killed.
type killedContent struct {
	*payoutRun
	random  *rand.Rand
	address string         // of IPFS
	place   string         // of what is published and extracted
	kills   int            // so far
	late    int            // what came when the program was through
	left    map[string]int // what the command after a kill found, by what it said
}

func (k *killedContent) command(words ...string) *exec.Cmd {
	cmd := processOf(append([]string{"--daemon-url=" + k.daemon, "--data-dir=" + k.folder, "--ipfs-api=" + k.address}, words...))
	cmd.Stdin = strings.NewReader("killed\n")
	return cmd
}

// read decodes what a command prints.
func (k *killedContent) read(into any, words ...string) {
	k.Helper()
	text, err := k.command(words...).Output()
	must(k, err)
	must(k, json.Unmarshal(text, into))
}

// round publishes and buys a folder.
func (k *killedContent) round(n int) {
	title := fmt.Sprintf("song-%d", n)
	song, out := filepath.Join(k.place, title), filepath.Join(k.place, "out", title)
	must(k, os.MkdirAll(filepath.Join(song, "deep"), 0o700))
	must(k, os.MkdirAll(filepath.Dir(out), 0o700))
	for name, size := range map[string]int{"one.txt": 10, "deep/two.bin": 1 + k.random.IntN(4<<20)} {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(k.random.Uint32())
		}
		must(k, os.WriteFile(filepath.Join(song, name), text, 0o600))
	}
	nothing := func() {}
	k.again(nothing, "publish", song, "--price=2 DCT", "--yes", "--json")
	var offers []struct{ URI string }
	k.read(&offers, "content", "list", "--search", title, "--json")
	if len(offers) != 1 {
		k.Fatalf("%d offers of %s, not one", len(offers), title)
	}
	whole := func() {
		for _, name := range []string{"one.txt", "deep/two.bin"} {
			was, err := os.ReadFile(filepath.Join(song, name))
			must(k, err)
			if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != string(was) {
				k.Errorf("%s was not extracted as it was: %v", name, err)
			}
		}
	}
	k.again(func() {
		if found, err := os.ReadDir(out); err == nil && len(found) > 0 {
			whole()
		}
	}, "buy", offers[0].URI, out, "--yes")
	whole()
	if found, err := os.ReadDir(filepath.Dir(out)); err != nil || len(found) != n+1 {
		k.Errorf("beside what was extracted is something else: %v, %v", found, err)
	}
}

// again runs a command until it is through, and kills it up to six times. look is called after each kill.
func (k *killedContent) again(look func(), words ...string) {
	k.Helper()
	words = append([]string{"content"}, words...)
	for range 1 + k.random.IntN(6) {
		cmd := k.command(words...)
		must(k, cmd.Start())
		time.Sleep(time.Duration(k.random.IntN(2000)) * time.Millisecond)
		if _ = cmd.Process.Kill(); cmd.Wait() == nil {
			k.late++
			break
		}
		k.kills++
		look()
	}
	if k.left == nil {
		k.left = map[string]int{}
	}
	for range 3 {
		text, err := k.command(words...).CombinedOutput()
		for _, said := range []string{"goes on; nothing is signed anew", "was submitted before", "already, at", "bought it before", "was paid before", "is not empty", "an earlier try failed"} {
			if strings.Contains(string(text), said) {
				k.left[said]++
			}
		}
		if err == nil || strings.Contains(string(text), "already, at") || strings.Contains(string(text), "is not empty") { // it was through before the last kill
			return
		}
		k.Logf("%v: %v: %s", words, err, text)
	}
	k.Fatalf("%v does not get through", words)
}

// A server publishes, buys, lists and cancels for a command, with folders below its operator's, also named from there. What it may not or cannot
// extract to is refused before anything is paid.
func TestContentThroughAServer(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--seeders=2", "--mine=3")
	r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
	address := box.line(`^IPFS +(http://\S+)$`)
	r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
	below := testwallet.Folder(t)
	must(t, os.Mkdir(filepath.Join(below, "song"), 0o700))
	writeFile(t, below, "song/one.txt", "la la la")
	server := start(t, "--daemon-url="+r.daemon, "--data-dir="+r.folder, "--ipfs-api="+address, "--content-dir="+below, "--rpc-http=127.0.0.1:0")
	api := remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}
	api.until("1.2.", "get_account", "alice")
	to := api.url
	run := func(code int, want string, words ...string) string {
		t.Helper()
		out := new(strings.Builder)
		words = append([]string{"--data-dir=" + filepath.Join(below, "none"), "content"}, append(words, "--to="+to)...)
		if got := runHere(t, &output{out: out, problems: out}, "", words...); got != code || !strings.Contains(out.String(), want) {
			t.Fatalf("%v: exit code %d, want %d and %q: %s", words, got, code, want, out)
		}
		return out.String()
	}
	publish := []string{"publish", "song", "--price=2 DCT", "--yes"}
	run(shell.IsLocked, "The wallet is locked", publish...)
	api.ok("unlock", "killed")
	run(shell.Refused, "not below the one for content", "publish", testwallet.Folder(t), "--price=2 DCT", "--yes")
	run(shell.Done, "held for who keeps it", append(publish, "--dry-run")...)
	earlier := earlierServer(t, api.url)
	to = earlier
	run(shell.Refused, "runs another version of billfold (unreleased): submit_content_async has no parameter", publish...)
	to = api.url
	_, uri, _ := strings.Cut(run(shell.Done, "on offer: ipfs:", publish...), "on offer: ")
	uri = strings.TrimSpace(uri)
	to = earlier
	run(shell.Refused, "runs another version of billfold (unreleased): download_content has no parameter", "buy", uri, "out", "--yes")
	to = api.url
	run(shell.Refused, "not below the one for content", "buy", uri, testwallet.Folder(t)+"/out", "--yes")
	run(shell.Refused, "Cannot create a folder in", "buy", uri, "gone/out", "--yes")
	run(shell.Refused, "has files already", "buy", uri, "song", "--yes")
	if listed := run(shell.Done, "song", "list"); !strings.Contains(listed, "bought by alice\n  nothing") {
		t.Errorf("something was paid:\n%s", listed)
	}
	run(shell.Done, "the content is in out", "buy", uri, "out", "--yes")
	run(shell.Done, "nothing is paid now", "buy", uri, filepath.Join(below, "out2"), "--yes")
	hash := strings.TrimPrefix(uri, "ipfs:")
	for i, typed := range []string{hash, "ipfs://" + hash, "<" + uri + ">", uri + ".", " " + uri + "\u00a0"} {
		run(shell.Done, "nothing is paid now", "buy", typed, filepath.Join(below, fmt.Sprint("typed", i)), "--yes")
	}
	for _, folder := range []string{"out", "out2"} {
		if got, err := os.ReadFile(filepath.Join(below, folder, "one.txt")); err != nil || string(got) != "la la la" {
			t.Errorf("%s: %q, %v", folder, got, err)
		}
	}
	run(shell.Done, "here, with its key", "list")
	run(shell.Refused, `no task is called "nosuch", and nobody offers content there`, "cancel", "nosuch")

	packages, err := filepath.Glob(filepath.Join(r.folder, "packages", "*", "content.zip.aes"))
	must(t, err)
	must(t, os.WriteFile(packages[0], []byte("damaged"), 0o600))
	run(shell.Done, "is damaged, and is fetched again", "buy", uri, filepath.Join(below, "out3"), "--yes")

	run(shell.Done, "on offer: ipfs:", "publish", "song", "--title=abroad", "--price=AT=2 DCT", "--yes")
	run(shell.Done, "abroad", "list")
	run(shell.Refused, "is published, and no task any more", "cancel", uri)
	var listed struct{ Tasks []struct{ ID, Kind string } }
	must(t, json.Unmarshal([]byte(run(shell.Done, "", "list", "--json")), &listed))
	i := slices.IndexFunc(listed.Tasks, func(t struct{ ID, Kind string }) bool { return t.Kind == "publish" })
	run(shell.Refused, "is published, and no task any more", "cancel", listed.Tasks[i].ID)
	api.ok("content_cancellation", "alice", uri, "true")
	api.until("true", "get_content", uri)
	run(shell.Refused, "was withdrawn already", "cancel", uri)
	run(shell.Done, "Withdrawn", "list")
}

// earlierServer returns the address of the server at url, which does not know what was approved and where to extract to.
func earlierServer(t *testing.T, url string) string {
	unknown := strings.NewReplacer(`"approved"`, `"approved_later"`, `"output_dir"`, `"output_dir_later"`)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		must(t, err)
		text := string(body)
		if strings.Contains(text, `"submit_content_async"`) || strings.Contains(text, `"download_content"`) {
			text = unknown.Replace(text)
		}
		answer, err := http.Post(url, "application/json", strings.NewReader(text)) //nolint:noctx // it ends with the test
		must(t, err)
		defer answer.Body.Close()
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/rpc"
}

// Content is published, bought and its tasks are canceled by commands whose standard output takes nothing: what was sent is not called failed.
func TestContentUntold(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	for name := range lostWriters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s", "--seeders=2", "--mine=3", "--content="+testwallet.Folder(t))
			r := payoutRun{T: t, daemon: box.line(`^websocket +(ws://\S+)$`), folder: testwallet.Folder(t)}
			address := box.line(`^IPFS +(http://\S+)$`)
			r.makeWallet(box.line(`^demo key +alice +(\w+)$`))
			folder := testwallet.Folder(t)
			writeFile(t, folder, "song", "la la la")
			words := map[string]string{"FOLDER": folder, "WALLET": "--daemon-url=" + r.daemon + " --data-dir=" + r.folder}
			online := "WALLET --ipfs-api=" + address + " "
			for _, run := range []changingRun{
				{"content publish", online + "content publish FOLDER/song --price=2|DCT --yes", "killed\n", `on offer: (ipfs:\w+)\n`, shell.Done},
				{"content buy", online + "content buy THAT FOLDER/out --yes", "killed\n", `(?s)paid\n.*the content is in .*out\n`, shell.Done},
			} {
				runUntold(t, run, name, words)
			}
			text, problems := new(strings.Builder), new(strings.Builder)
			again := strings.Fields("--daemon-url=" + r.daemon + " --data-dir=" + r.folder + " --ipfs-api=" + address + " content buy " + words["THAT"] + " " + folder + "/out --yes")
			if code := runHere(t, &output{out: text, problems: problems}, "killed\n", again...); code != shell.Done || !strings.Contains(text.String(), "out already; it was bought as 2.12.0, and nothing is paid now") {
				t.Errorf("the same command again: exit code %d: %s%s", code, text, problems)
			}
			writeFile(t, folder, "out/more", "not from there")
			if code := runHere(t, &output{out: text, problems: problems}, "killed\n", again...); code != shell.Misused {
				t.Errorf("into a folder with more in it: exit code %d: %s%s", code, text, problems)
			}
			text.Reset()
			list := func() {
				runHere(t, &output{out: text, problems: problems}, "", strings.Fields("--daemon-url="+r.daemon+" --data-dir="+r.folder+" content list --json")...)
			}
			var all struct {
				Published []struct{ URI string }
				Bought    []struct{ Hash string }
				Tasks     []struct{ ID string }
			}
			list()
			must(t, json.Unmarshal([]byte(text.String()), &all))
			hash := all.Bought[0].Hash
			away := []string{"--daemon-url=" + r.daemon, "--data-dir=" + r.folder, "--ipfs-api=http://127.0.0.1:1", "call"}
			for _, call := range [][]string{{"remove_package", hash}, {"download_package", all.Published[0].URI}} {
				if code := runHere(t, &output{out: text, problems: problems}, "killed\n", append(away, call...)...); code != shell.Done {
					t.Fatalf("%s: exit code %d: %s", call[0], code, problems)
				}
			}
			text.Reset()
			list()
			must(t, json.Unmarshal([]byte(text.String()), &all))
			if len(all.Bought) != 1 || len(all.Tasks) != 1 {
				t.Fatalf("%s", text)
			}
			words["THAT"] = all.Tasks[0].ID
			runUntold(t, changingRun{"content cancel", "WALLET content cancel THAT", "killed\n", `canceled; what was sent`, shell.Done}, name, words)
		})
	}
}
