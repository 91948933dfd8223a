package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/daemonclient"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
	"billfold/osfile"
	"billfold/packaging"

	"github.com/spf13/cobra"
)

func migrateCommand() *cobra.Command {
	return withoutSettings(&cobra.Command{
		Use:   "migrate [LINE or UNIT]",
		Short: "Show what a command line of cli_wallet is here: the command, the unit, and what to check",
		Long: `Show what a command line of cli_wallet is here: the command, the unit of systemd, what
became of each option, and what to check. LINE is the whole line in quotes:

  billfold migrate 'cli_wallet -s ws://127.0.0.1:8090 -w wallet.json -H'

UNIT is a unit file with such a line after ExecStart=. Without an argument the line is read
from standard input, where a password in it is seen by nobody. It changes nothing, and
a password is not repeated.`,
		Args: atMost("LINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := lineToMigrate(cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			return shell.Misuse(migrate(cmd.OutOrStdout(), cmd.Root(), line))
		},
	})
}

// maxLine is more bytes than a command line or a unit has.
const maxLine = 64 << 10

// lineToMigrate returns the command line of cli_wallet that args name or, without any, the one on in.
func lineToMigrate(in io.Reader, args []string) (string, error) {
	if len(args) == 0 {
		text, err := io.ReadAll(io.LimitReader(in, maxLine))
		if err == nil {
			text, err = usertext.Decode(text)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		return line, err
	}
	info, err := os.Stat(args[0])
	if err != nil || !info.Mode().IsRegular() {
		return args[0], nil
	}
	text, err := os.ReadFile(args[0])
	if err == nil {
		text, err = usertext.Decode(text)
	}
	if err != nil {
		return "", shell.Unreadable("unit", args[0], err)
	}
	joined := regexp.MustCompile(`\\\r?\n\s*`).ReplaceAllString(string(text), " ")
	for _, found := range regexp.MustCompile(`(?m)^\s*ExecStart\s*=[@\-:+!]*(.+)$`).FindAllStringSubmatch(joined, -1) {
		if strings.Contains(found[1], cliWalletName) {
			return found[1], nil
		}
	}
	return "", fmt.Errorf("%s has no line ExecStart= that starts cli_wallet; give that line itself, in quotes", args[0])
}

const (
	cliWalletName = "cli_wallet"

	// As in the unit that ships.
	serviceFolder = "/var/lib/billfold"
	programPath   = "/usr/bin/billfold"

	serviceUnit = "/etc/systemd/system/billfold.service" // which comes before that of a package
)

// migrate explains a command line of cli_wallet.
func migrate(out io.Writer, root *cobra.Command, line string) error {
	words, err := splitAsShell(line)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(words, func(word string) bool { return filepath.Base(word) == cliWalletName })
	if at < 0 {
		return errors.New("this is no command line of cli_wallet; write billfold migrate 'cli_wallet -s ws://127.0.0.1:8090 -H'")
	}
	c, err := readCLIWallet(words[at+1:], flagsOfRoot(root))
	if err != nil {
		return err
	}
	if len(c.strange) > 0 {
		return c.strange[0].problem()
	}
	if err := c.refuseOdd(); err != nil {
		return err
	}
	for _, word := range c.before {
		if !isShared(word) { // a flag of ours
			name, _, _ := strings.Cut(word, "=")
			return fmt.Errorf("cli_wallet has no option %s, which is one of Billfold; write the line as it was started", name)
		}
	}
	if err := daemonclient.CheckAddresses(c.values("daemon-url")); err != nil {
		return err
	}
	shared := slices.Clone(c.before)
	if c.serves() {
		c.before = append([]string{"--data-dir=" + serviceFolder}, c.before...)
	}
	if c.password {
		c.add("daemon-password-file", c.passwordFile())
	}
	own, err := c.ownWords(true)
	if err != nil {
		return err
	}
	if c.serves() {
		own = append(own, "--rpc-socket")
	}
	c.explain(out, own, shared)
	return nil
}

// refuseOdd refuses values that are not what their options take, or that seem to be secrets: all others are repeated. Its errors repeat none.
func (c *cliWalletCall) refuseOdd() error {
	for _, at := range []struct{ option, addr string }{{"-r", c.ws}, {"-t", c.tls}, {"-H", c.http}} {
		if at.addr != "" && checkAddress(at.addr) != nil {
			return fmt.Errorf("%s of cli_wallet takes an address with a host and a port, like %s; what this line has there is not repeated, as it may be a password",
				at.option, defaultHTTP)
		}
	}
	for _, id := range c.values("chain-id") {
		if _, err := parseChainID(id); err != nil {
			return errors.New("--chain-id takes 64 hex digits; what this line has there is not repeated, as it may be a password")
		}
	}
	all := []setting.Given{{Where: "-w", Text: c.walletFile, Place: true}, {Where: "-c", Text: c.certificate, Place: true}, {Where: "-f", Text: c.file, Place: true}}
	for _, word := range slices.Concat(c.before, c.flags) {
		name, value, _ := strings.Cut(word, "=")
		all = append(all, setting.Given{Where: name, Text: value, Place: name != "--chain-id"})
	}
	return setting.RefuseSecret(all...)
}

// isShared reports whether a flag is one that cli_wallet has under the same name.
func isShared(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return slices.ContainsFunc(cliWalletOptions(), func(o cliWalletOption) bool {
		return o.apply == nil && (name == "--"+o.long || name == "-"+o.short)
	})
}

func (c *cliWalletCall) explain(out io.Writer, own, shared []string) {
	quoted := make([]string, len(own))
	for i, word := range own {
		quoted[i] = printable.Text(flagWord(word))
	}
	serves := c.serves()
	part := 0
	title := func(text string) {
		part++
		fmt.Fprintf(out, "%s%d. %s\n\n", map[bool]string{true: "\n"}[part > 1], part, text)
	}
	if serves || c.walletFile != "" || c.password {
		title("Once")
		c.explainOnce(out)
	}
	title("The command")
	command := strings.Join(append([]string{"billfold"}, quoted...), " ")
	if serves {
		command = "sudo -u billfold " + command
	}
	fmt.Fprintln(out, "   ", command)
	if serves {
		title("The unit, " + serviceUnit)
		fmt.Fprint(out, indented(c.unit(quoted)))
	}
	title("What became of each option")
	for _, o := range c.given {
		fmt.Fprintf(out, "    %s\n", o.note())
	}
	for _, word := range shared {
		name, _, _ := strings.Cut(word, "=")
		fmt.Fprintf(out, "    %s of cli_wallet is the same here\n", name)
	}
	title("What to check")
	for _, check := range c.checks(serves) {
		fmt.Fprintf(out, "    - %s\n", printable.Text(check))
	}
}

// flagWord quotes a word for a shell if necessary: of a flag only its value.
func flagWord(word string) string {
	name, value, has := strings.Cut(word, "=")
	if !has || !strings.HasPrefix(word, "--") {
		return osfile.ShellWord(word)
	}
	return name + "=" + osfile.ShellWord(value)
}

func indented(text string) string {
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(text, "    $1")
}

// explainOnce prints what is done once: the user and the folder of a service, the keys, the daemon's password.
func (c *cliWalletCall) explainOnce(out io.Writer) {
	const typed = "    # type the daemon's password, enter, ctrl+d"
	file := printable.Text(osfile.ShellWord(cmp.Or(c.walletFile, "wallet.json")))
	if !c.serves() {
		if folder := c.folder(); folder != "" {
			fmt.Fprintf(out, "    billfold --data-dir=%s import %s    # asks for its password, and twice for the new one\n", osfile.ShellWord(folder), file)
		}
		if c.password {
			fmt.Fprintf(out, "    install -m 600 /dev/stdin %s%s\n", osfile.ShellWord(c.passwordFile()), typed)
		}
		return
	}
	there := serviceFolder + "/wallet.json"
	fmt.Fprintf(out, "    sudo systemd-sysusers && sudo systemd-tmpfiles --create    # the user and its folder; docs/operate.md says what to install\n")
	fmt.Fprintf(out, "    sudo install -o billfold -m 600 %s %s\n", file, there)
	fmt.Fprintf(out, "    sudo -u billfold billfold --data-dir=%s import %s    # asks for its password, and twice for the new one\n", serviceFolder, there)
	fmt.Fprintf(out, "    sudo rm %s\n", there)
	if c.password {
		fmt.Fprintf(out, "    sudo install -o billfold -m 600 /dev/stdin %s%s\n", c.passwordFile(), typed)
	}
}

// passwordFile returns where the daemon's password goes.
func (c *cliWalletCall) passwordFile() string {
	if c.serves() {
		return serviceFolder + "/daemon-password"
	}
	return filepath.Join(c.folder(), "daemon-password")
}

// unit returns the unit that starts the program with these words.
func (c *cliWalletCall) unit(quoted []string) string {
	lines := strings.Split(packaging.Unit, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "ExecStart=") {
			lines[i] = "ExecStart=" + unitText(strings.Join(append([]string{programPath}, quoted...), " "))
			for _, path := range c.values("packages-path") {
				lines[i] += "\nReadWritePaths=" + unitText(path)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// unitText returns a text of which systemd expands nothing.
func unitText(text string) string { return strings.NewReplacer("%", "%%", "$", "$$").Replace(text) }

// values returns what our flags of a name were given.
func (c *cliWalletCall) values(name string) (list []string) {
	for _, word := range slices.Concat(c.before, c.flags) {
		if value, is := strings.CutPrefix(word, "--"+name+"="); is {
			list = append(list, value)
		}
	}
	return list
}

// serves reports whether the line starts a server.
func (c *cliWalletCall) serves() bool {
	return len(c.command) == 0 && c.file == "" && (c.ws != "" || c.tls != "" || c.http != "" || c.daemon)
}

// checks returns what somebody who comes from cli_wallet has to look at, a sentence each.
func (c *cliWalletCall) checks(serves bool) (list []string) {
	urls := c.values("daemon-url")
	if plain := daemonclient.PlainURLs(urls); len(plain) > 0 {
		list = append(list, plain[0]+": anybody in between can read and change what the wallet and this daemon send; use a wss:// address, or a tunnel")
	}
	if len(urls) == 0 {
		list = append(list, "cli_wallet without -s took ws_server of its wallet.json; name that with --daemon-url, or "+defaultDaemon+" is used")
	}
	if c.password {
		list = append(list, "the daemon's password stood on a command line, which every user of the machine can read: change it, and keep it in "+c.passwordFile()+" alone")
	}
	for _, addr := range []string{c.ws, c.tls, c.http} {
		_, port, _ := net.SplitHostPort(addr)
		switch {
		case addr == "":
			continue
		case beyondLoopback(addr):
			list = append(list, addr+": other machines reach it, so Billfold starts only with --rpc-auth (tokens: billfold token new NAME) and --rpc-tls, or, if you insist, --rpc-insist-beyond-loopback")
		}
		if n, err := strconv.Atoi(port); err == nil && n < 1024 {
			list = append(list, addr+": a service without capabilities opens no port below 1024; take another one")
		}
	}
	for _, path := range append(c.values("packages-path"), c.certificate) {
		if !serves || path == "" {
			continue
		}
		if !filepath.IsAbs(path) {
			list = append(list, path+" is looked for in "+serviceFolder+"; name it from the root on")
		}
		if isHidden(path) {
			list = append(list, path+": the unit hides homes and /tmp from the server (ProtectHome, PrivateTmp); move it to "+serviceFolder)
		}
	}
	if c.certificate != "" || c.tls != "" {
		list = append(list, "the certificate's file belongs to the user billfold or root, and only they read its key")
	}
	if serves {
		list = append(list,
			"the socket "+serviceFolder+"/"+socketName+" is for programs of the user billfold, such as billfold status",
			"stop cli_wallet before the server starts: both want the same ports, and two wallets with the same keys do not know of each other's payments",
			"a script that unlocks with the password goes on doing so, and unlock answers null (cli_wallet: true, or false if it was open); to unlock at the start add --unlock-from=FILE",
			"transfers have operation 0 where cli_wallet made 39; every other difference is in docs/differences.md, and docs/migrate.md shows scripts",
			"billfold doctor looks at files, daemons, clock and disk; GET /readyz, or billfold status, says whether it pays")
	} else {
		list = append(list, "at a prompt and in files, passwords are asked for and never taken from a line: write unlock alone; docs/migrate.md shows scripts")
	}
	return list
}

// isHidden reports whether a path is where the unit lets the server see nothing.
func isHidden(path string) bool {
	return slices.ContainsFunc([]string{"/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"}, func(hidden string) bool { return strings.HasPrefix(path, hidden) })
}

// splitAsShell splits a line as a shell does: at blanks, with quotes and backslashes. It expands nothing. Its errors repeat nothing of the line.
func splitAsShell(line string) (words []string, err error) {
	var word strings.Builder
	inWord, quote := false, rune(0)
	for text := []rune(strings.TrimSpace(line)); len(text) > 0; text = text[1:] {
		r := text[0]
		switch {
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
			continue
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		case r == '\\' && quote != '\'' && len(text) > 1 && (quote == 0 || strings.ContainsRune(`"\$`+"`", text[1])):
			text = text[1:]
			word.WriteRune(text[0])
		default:
			word.WriteRune(r)
		}
		inWord = true
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote (%c) in this line is not closed; close it", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
