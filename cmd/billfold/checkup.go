package main

import (
	"context"
	"errors"
	"fmt"
	goversion "go/version"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger/printable"
	"billfold/osfile"
	"billfold/walletcore/store/sqlite"
)

// leastGo is the oldest Go that a wallet which holds money should be built with, as in go.mod.
const leastGo = "go1.26.10"

// grade is a checkup's verdict on what it found.
type grade string

const (
	well    grade = "ok"
	careful grade = "careful" // it works, and could be better
	wrong   grade = "WRONG"   // it must be changed
)

// checkup prints the findings of billfold doctor, in the order in which it looked.
type checkup struct {
	out    io.Writer
	hide   func(error) error // leaves secrets out of an error
	wrongs int
}

func (c *checkup) note(g grade, what, form string, args ...any) {
	if g == wrong {
		c.wrongs++
	}
	text := strings.ReplaceAll(fmt.Sprintf(form, args...), "\nhint: ", "; ") // one line each
	fmt.Fprintf(c.out, "%-7s  %-11s  %s\n", g, what, printable.Text(text))
}

// checkUp looks at the wallet of s and at what it stands on, and reports all of it. It changes nothing, and may run beside a
// server. It returns an error if something must be changed.
func checkUp(ctx context.Context, s *settings, out io.Writer) error {
	c := &checkup{out: out, hide: s.values.HideSecrets}
	c.build()
	if err := s.read(); err != nil { // which also looks at who could have written the folder and its files
		c.note(wrong, "settings", "%s", sentence(c.hide(err)))
		return c.verdict()
	}
	c.settings(s)
	c.files(s)
	c.disks(s)
	c.ports(s)
	c.certificate(s, time.Now())
	if s.sandbox {
		c.note(well, "wallet", "the sandbox has a throw-away wallet and a ledger of its own, so nothing else is looked at")
		return c.verdict()
	}
	c.keys(s)
	if err := c.wallet(ctx, s); err != nil {
		c.note(wrong, "wallet", "%s", sentence(c.hide(err)))
	}
	return c.verdict()
}

func (c *checkup) verdict() error {
	if c.wrongs > 0 {
		return fmt.Errorf("%s wrong; the lines that begin with %s say what to do", countAre(c.wrongs, "thing"), wrong)
	}
	return nil
}

// countAre returns "1 thing is" or "3 things are".
func countAre(n int, what string) string {
	if n == 1 {
		return printable.Many(n, what) + " is"
	}
	return printable.Many(n, what) + " are"
}

func (c *checkup) build() {
	const form = "billfold %s, built with %s"
	if goversion.Compare(runtime.Version(), leastGo) < 0 {
		c.note(careful, "build", form+", whose standard library has known faults; build it with %s or newer", fullVersion(), runtime.Version(), leastGo)
		return
	}
	c.note(well, "build", form, fullVersion(), runtime.Version())
}

func (c *checkup) settings(s *settings) {
	text, err := os.Stat(filepath.Join(s.dataDir, configName))
	from := "there is no " + configName
	if err == nil {
		from = fmt.Sprintf("%s has %s", text.Name(), printable.Many(text.Size(), "byte"))
	}
	c.note(well, "settings", "they are good; %s", from)
	for _, url := range daemonclient.PlainURLs(s.daemonURLs) {
		c.note(careful, "settings", "%s: anybody in between can read and change what the wallet and this daemon send; use a wss:// address", url)
	}
	if s.exposed && (!s.rpcAuth || !s.rpcTLS && s.tlsCert == "") {
		c.note(careful, "settings", "other machines may call without tokens or encryption (--rpc-insist-beyond-loopback); use --rpc-auth and --rpc-tls")
	}
}

// files looks at who may read what is in the wallet's folder. Who may write it was looked at with the settings.
func (c *checkup) files(s *settings) {
	open := s.openToOthers()
	for _, what := range open {
		c.note(careful, "files", "%s", what)
	}
	if len(open) == 0 {
		c.note(well, "files", "no other user may read or write those in %s", s.dataDir)
	}
}

// openToOthers returns, for the wallet's folder and each of its files that other users may read, a sentence with what to do.
func (s *settings) openToOthers() (list []string) {
	paths := []string{s.dataDir}
	find := func(folder, pattern string) {
		found, _ := filepath.Glob(filepath.Join(folder, pattern)) // the patterns are good
		paths = append(paths, found...)
	}
	for _, pattern := range append(ownFiles(), configName) {
		find(s.dataDir, pattern)
	}
	if s.hasIndexDir() {
		paths = append(paths, s.indexDir)
		find(s.indexDir, indexName+"*")
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			continue
		case strings.HasSuffix(path, "-cert.pem") || info.Mode().Type() == fs.ModeSocket:
			continue // a certificate is public, and the socket asks who calls
		}
		if who := osfile.Exposure(path, info, s.trust.Covers); who != "" {
			list = append(list, fmt.Sprintf("other users may look into %s (%s); run: %s", path, who, osfile.Closing(path)))
		}
	}
	return list
}

// disks looks at the room on the disk of the wallet's folder, and on that of the history index.
func (c *checkup) disks(s *settings) {
	c.disk(s.dataDir, diskFault(s.dataDir, leastFree))
	if spare := s.spareIndex(); spare != "" {
		c.note(careful, "disk", "%s is not used, since --index-dir names %s; remove it, or move it there while no wallet runs", spare, s.indexDir)
	}
	if _, err := os.Stat(s.indexFolder()); s.hasIndexDir() && err == nil { // otherwise whoever opens the index says so
		c.disk(s.indexDir, "")
	}
}

func (c *checkup) disk(folder, full string) {
	free, _, known := osfile.Room(folder)
	switch {
	case full != "":
		c.note(wrong, "disk", "%s", full)
	case !known:
		c.note(careful, "disk", "it does not say how much is left for %s", folder)
	case free < 1<<30:
		c.note(careful, "disk", "%d MiB are left for %s, which a long history fills; free some space", free>>20, folder)
	default:
		c.note(well, "disk", "%d MiB are left for %s", free>>20, folder)
	}
}

// portWait is the time that a port has to accept a connection.
const portWait = time.Second

// ports looks whether somebody listens where the settings have listeners.
func (c *checkup) ports(s *settings) {
	for _, addr := range []string{s.rpcHTTP, s.rpcWS} {
		if addr == "" {
			continue
		}
		conn, err := net.DialTimeout("tcp", reachable(addr), portWait)
		if err != nil {
			c.note(well, "ports", "nobody listens on %s: the wallet server is not running", addr)
			continue
		}
		_ = conn.Close()
		c.note(well, "ports", "a program listens on %s; billfold status says whether it is the wallet server and pays", addr)
	}
}

// certificate looks at how long the certificate of the listeners is good for.
func (c *checkup) certificate(s *settings, now time.Time) {
	own := filepath.Join(s.dataDir, ownCertificate)
	if _, err := os.Stat(own); s.tlsCert == "" && (!s.rpcTLS || err != nil) {
		return // none is used, or it is made at the start
	}
	used, err := s.identity()
	if err != nil {
		c.note(wrong, "certificate", "%s", sentence(c.hide(err)))
		return
	}
	const day = 24 * time.Hour
	left, until := used.Ends().Sub(now), used.Ends().UTC().Format(time.DateOnly)
	switch {
	case left <= 0:
		c.note(wrong, "certificate", "it ended on %s; replace it, then send the server a SIGHUP", until)
	case left < 30*day:
		c.note(careful, "certificate", "it ends on %s, in %s; replace it, then send the server a SIGHUP", until, printable.Many(int64(left/day), "day"))
	default:
		c.note(well, "certificate", "it is good until %s, for %s", until, printable.Many(int64(left/day), "day"))
	}
}

// keys looks at how hard the password of the key file is to guess.
func (c *checkup) keys(s *settings) {
	file, err := keystore.Open(s.keystorePath())
	if errors.Is(err, keystore.ErrNotFound) {
		c.note(careful, "keys", "there is no wallet in %s yet", s.dataDir)
		return
	}
	if err != nil {
		c.note(wrong, "keys", "%s", sentence(c.hide(err)))
		return
	}
	cost := file.Params()
	text := fmt.Sprintf("%s; trying a password takes %d MiB, gone through %s: a graphics card tries %.0f a second",
		printable.Many(len(file.PublicKeys()), "key"), cost.MemoryKiB>>10, printable.Many(cost.Time, "time"), cost.GuessesPerSecond())
	if !cost.Strong() {
		c.note(careful, "keys", "%s: that is too many; the next unlock makes it harder, or change the password", text)
		return
	}
	c.note(well, "keys", "%s", text)
}

// wallet looks at what needs the wallet itself: daemons, clock, journal and backups.
func (c *checkup) wallet(ctx context.Context, s *settings) error {
	if _, err := os.Stat(s.keystorePath()); errors.Is(err, fs.ErrNotExist) {
		return nil // nothing is made here
	}
	p, err := newProgramWith(ctx, &program{settings: s, aside: true}, s.openStoreAside) // its log would say the same
	if err != nil {
		return err
	}
	defer p.close()
	return p.run(ctx, func(ctx context.Context) error {
		c.journal(ctx, p)
		c.backup(ctx, p, time.Now())
		_ = p.firstContact(ctx) // what comes of it is in the status
		c.daemons(p.client.Status())
		return nil
	})
}

func (c *checkup) journal(ctx context.Context, p *program) {
	at, err := p.wallet.Payments.JournalState(ctx)
	switch {
	case err != nil:
		c.note(wrong, "journal", "%s", sentence(c.hide(err)))
	case at.Lost != nil:
		c.note(wrong, "journal", "%s", sentence(at.Lost))
	case at.Held:
		c.note(wrong, "journal", "it lacked payments that are on the ledger; billfold journal found lists them")
	default:
		if err := p.store.Journal.Ready(ctx); err != nil {
			c.note(wrong, "journal", "no payment can be written to it: %s", sentence(c.hide(err)))
			return
		}
		if err := checkArchives(ctx, p.store, p.folder()); err != nil {
			c.note(wrong, "journal", "%s", sentence(c.hide(err)))
			return
		}
		if p.settings.store != "" {
			c.note(well, "journal", "it is in the database that the servers share, and a payment can be written")
			return
		}
		c.note(well, "journal", "it is the wallet's own, with %s, and a payment can be written", printable.Many(at.Commits, "change"))
	}
}

// backupNote is the file whose time is that of the newest backup or copy of the journal, beside it.
const backupNote = "payments.copied"

// maxDays is the age of the newest backup, in days, beyond which the checkup reports it.
const maxDays = 7

func (c *checkup) backup(ctx context.Context, p *program, now time.Time) {
	proven, accounts := 0, p.wallet.Own.List()
	for _, a := range accounts {
		if check, err := p.wallet.Papers.Of(ctx, a.ID); err == nil && !check.At.IsZero() {
			proven++
		}
	}
	if proven < len(accounts) {
		c.note(careful, "backup", "the keys of %d of %s are not proven to be on paper; in the terminal UI, open an account and print its keys",
			len(accounts)-proven, printable.Many(len(accounts), "account"))
	}
	if p.settings.store != "" {
		c.note(well, "backup", "the payments are in the database that the servers share; back that up")
		return
	}
	made, err := os.Stat(filepath.Join(p.folder(), backupNote))
	if err != nil {
		c.note(careful, "backup", "the wallet was never backed up; billfold backup FILE does it while the wallet runs")
		return
	}
	if days := int64(now.Sub(made.ModTime()) / (24 * time.Hour)); days > maxDays {
		c.note(careful, "backup", "the newest backup is %s old; billfold backup FILE makes one while the wallet runs", printable.Many(days, "day"))
		return
	}
	c.note(well, "backup", "the newest is of %s (UTC)", day(made.ModTime()))
}

// noteBackup makes the time of the newest backup now.
func noteBackup(folder string) error {
	return os.WriteFile(filepath.Join(folder, backupNote), []byte("The time of this file is that of the newest backup of the wallet, or copy of "+sqlite.Name+".\n"), 0o600)
}

// clockSlack is the maximum lead of the newest block over this machine's clock.
const clockSlack = 5 * time.Second

func (c *checkup) daemons(at daemonclient.Status) {
	for _, d := range at.Daemons {
		switch {
		case d.State != daemonclient.Online:
			c.note(wrong, "daemons", "%s does not answer: %s", d.URL, d.LastError)
		case d.Lied:
			c.note(wrong, "daemons", "%s gave a false answer within the last minute; use another", d.URL)
		case d.Silent:
			c.note(wrong, "daemons", "%s is connected but does not answer", d.URL)
		case d.Stale && d.HeadAge > 0:
			c.note(wrong, "daemons", "%s is behind, or this machine's clock is ahead: its newest block, #%d, is %s old", d.URL, d.Head.Num(), d.HeadAge.Round(time.Second))
		default:
			c.note(well, "daemons", "%s answers within %s; its newest block is #%d", d.URL, d.Latency.Round(time.Millisecond), d.Head.Num())
		}
		switch {
		case d.State != daemonclient.Online || d.HeadTime == 0 || d.OwnClock:
		case d.HeadAge < -clockSlack:
			c.note(wrong, "clock", "the newest block of %s is %s ahead of this machine's clock; check which of the two is wrong",
				d.URL, (-d.HeadAge).Round(time.Second))
		case !d.Stale:
			c.note(well, "clock", "it agrees with the newest block of %s", d.URL)
		}
	}
}
