package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/usertext"
	"billfold/osfile"
	"billfold/walletcore/spelling"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// argument is the kind of argument that an option of cli_wallet takes.
type argument int

const (
	noArgument argument = iota
	needsArgument
	mayHaveArgument // else it means its implied value
)

// cliWalletOption is an option of the reference wallet: docs/protocol/wallet-api.md 3.
type cliWalletOption struct {
	long, short string // without dashes; short may be ""
	takes       argument
	implied     string // the value of the option without one
	here        string // the word that stands for it here, as people read it; "" = none does
	why         string // what else there is to know, or why no word does and what to do, as the end of a sentence
	values      string // the letters that are its values, where a flag of ours with other values has its name; "" = none has
	apply       func(c *cliWalletCall, value string)
}

// cliWalletOptions is the one table of what becomes of the options of cli_wallet. The program translates them at its start, and
// billfold migrate and docs/migrate.md explain them by it. An option whose name is a flag of ours too, with the same meaning, has no apply: it
// is that flag; with other values it is told from that one by them.
func cliWalletOptions() []cliWalletOption {
	return []cliWalletOption{
		{long: "help", short: "h", here: "--help"},
		{long: "version", short: "v", here: "billfold version", apply: func(c *cliWalletCall, _ string) { c.command = []string{"version"} }},
		{long: "generate-keys", short: "g", here: "billfold call suggest_brain_key", why: "which prints the phrase and both keys as JSON",
			apply: func(c *cliWalletCall, _ string) { c.command = []string{"call", "suggest_brain_key"} }},
		{long: "wallet-file", short: "w", takes: mayHaveArgument, implied: "wallet.json", here: "--data-dir=FOLDER",
			why:   "where a wallet is a folder: wallet.billfold beside wallet.json, unless --data-dir names another; billfold import takes the keys over once",
			apply: func(c *cliWalletCall, value string) { c.walletFile = value }},
		{long: "log-level", short: "l", takes: needsArgument, values: "DIWEO", here: "--log-level=LEVEL",
			why:   "whose levels are debug, info, warn and error (for O, too), on standard error; only a server has a log",
			apply: func(c *cliWalletCall, value string) { c.logLevel = value }},
		{long: "daemon", why: "as a server with --rpc-http, --rpc-ws or --rpc-socket has no prompt and ends at SIGINT or SIGTERM; leave it out",
			apply: func(c *cliWalletCall, _ string) { c.daemon = true }},
		{long: "chain-id", takes: needsArgument, here: "--chain-id"},
		{long: "packages-path", takes: needsArgument, here: "--packages-path"},
		{long: "ipfs-api", takes: needsArgument, here: "--ipfs-api"},
		{long: "server-rpc-endpoint", short: "s", takes: mayHaveArgument, implied: defaultDaemon, here: "--daemon-url=URL",
			apply: func(c *cliWalletCall, value string) { c.add("daemon-url", value) }},
		{long: "server-rpc-user", short: "u", takes: needsArgument, here: "--daemon-user=NAME", why: "left out where it is empty",
			apply: func(c *cliWalletCall, value string) { c.addGiven("daemon-user", value) }},
		{long: "server-rpc-password", short: "p", takes: needsArgument, here: "--daemon-password-file=FILE",
			why:   "as every user of the machine reads command lines: write the password into a file that only the wallet's user reads, name the file, and change the password",
			apply: func(c *cliWalletCall, value string) { c.password = value != "" }},
		{long: "rpc-endpoint", short: "r", takes: mayHaveArgument, implied: defaultWS, here: "--rpc-ws=ADDR", why: "which answers HTTP too",
			apply: func(c *cliWalletCall, value string) { c.ws = value }},
		{long: "rpc-tls-endpoint", short: "t", takes: mayHaveArgument, implied: "127.0.0.1:8092", here: "--rpc-ws=ADDR --rpc-tls",
			why:   "which encrypts every port, and so does not go with -r or -H",
			apply: func(c *cliWalletCall, value string) { c.tls = value }},
		{long: "rpc-tls-certificate", short: "c", takes: needsArgument, here: "--rpc-tls-cert=FILE --rpc-tls-key=FILE", why: "which may be one file",
			apply: func(c *cliWalletCall, value string) { c.certificate = value }},
		{long: "rpc-http-endpoint", short: "H", takes: mayHaveArgument, implied: defaultHTTP, here: "--rpc-http=ADDR",
			apply: func(c *cliWalletCall, value string) { c.http = value }},
		{long: "from-command-file", short: "f", takes: needsArgument, here: "billfold console --yes FILE", why: "which signs without asking, as cli_wallet did",
			apply: func(c *cliWalletCall, value string) { c.file = value }},
	}
}

// cliWalletCall is a command line of cli_wallet, option by option, and what it is here.
type cliWalletCall struct {
	given   []givenOption // in their order
	strange []strangeWord // options that neither knows, and the first of rest
	before  []string      // flags of ours that stand among them, each with its value
	rest    []string      // the words from the first one on that is no flag
	flags   []string      // what options became that stand for flags
	command []string      // what ends the program soon, in place of the wallet

	walletFile, ws, tls, http, certificate, file, logLevel string // "" = not given
	daemon, password                                       bool
}

func (c *cliWalletCall) add(flag, value string) { c.flags = append(c.flags, "--"+flag+"="+value) }

// addGiven is add where an empty value means the same as none.
func (c *cliWalletCall) addGiven(flag, value string) {
	if value != "" {
		c.add(flag, value)
	}
}

// givenOption is an option of cli_wallet as it was typed.
type givenOption struct {
	*cliWalletOption
	typed string // with its dashes, without its value
}

// note returns in a sentence what stands for the option here, or why nothing does.
func (o givenOption) note() string {
	switch {
	case o.here == "":
		return o.typed + " of cli_wallet has no equivalent, " + o.why
	case o.why == "":
		return o.typed + " of cli_wallet is " + o.here + " here"
	}
	return o.typed + " of cli_wallet is " + o.here + " here, " + o.why
}

// readCLIWallet reads a command line in which options of cli_wallet, in both of their spellings, stand among flags of ours. ours are our flags;
// a word that is one of them is never taken for an option of cli_wallet. Its errors repeat no value, which may be a password.
func readCLIWallet(words []string, ours *pflag.FlagSet) (*cliWalletCall, error) {
	c := &cliWalletCall{}
	options, all, after := cliWalletOptions(), len(words), ""
	for len(words) > 0 {
		word, number := words[0], all-len(words)+1
		if !strings.HasPrefix(word, "-") || word == "-" || word == "--" {
			c.rest, c.strange = words, append(c.strange, strangeWord{word, number, after})
			return c, nil
		}
		words = words[1:]
		name, value, attached := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		long := strings.HasPrefix(word, "--")
		if !long {
			if near := nearFlag(strings.TrimPrefix(word, "-"), ours); near != "" { // not a letter with its value attached
				return nil, fmt.Errorf("flags begin with two dashes; did you mean --%s?", near)
			}
			name, value, attached = word[1:2], word[2:], len(word) > 2
		}
		at := slices.IndexFunc(options, func(o cliWalletOption) bool {
			return o.apply != nil && (long && o.long == name || !long && o.short == name)
		})
		if f := ours.Lookup(name); long && f != nil && (at < 0 || !options[at].has(value, words)) {
			if !attached && f.NoOptDefVal == "" && len(words) > 0 {
				word, words = word+"="+words[0], words[1:]
			}
			c.before, after = append(c.before, word), "--"+name
			continue
		}
		if at < 0 {
			if !isShared(word) {
				c.strange = append(c.strange, strangeWord{word, number, after})
			}
			c.before, after = append(c.before, word), ""
			continue
		}
		o := givenOption{&options[at], "-" + name}
		if long {
			o.typed = "--" + name
		}
		after = o.typed
		switch {
		case o.takes == noArgument && attached:
			return nil, fmt.Errorf("%s of cli_wallet takes no value; leave out what is attached to it", o.typed)
		case o.takes == noArgument || attached:
		case len(words) > 0 && (o.takes == needsArgument || !strings.HasPrefix(words[0], "-")):
			value, words = words[0], words[1:]
		case o.takes == needsArgument:
			return nil, fmt.Errorf("%s of cli_wallet needs a value; write it after the option", o.typed)
		default:
			value = o.implied
		}
		if slices.ContainsFunc(c.given, func(g givenOption) bool { return g.cliWalletOption == o.cliWalletOption }) {
			return nil, fmt.Errorf("%s of cli_wallet is given twice; give it once", o.typed)
		}
		c.given = append(c.given, o)
		o.apply(c, value)
	}
	return c, nil
}

// has reports whether the option's value, attached or else the next word, is one of the letters that tell it from a flag of ours.
func (o cliWalletOption) has(attached string, next []string) bool {
	value := attached
	if value == "" && len(next) > 0 {
		value = next[0]
	}
	return len(value) == 1 && strings.Contains(o.values, value)
}

// strangeWord is a word of a command line that is no option.
type strangeWord struct {
	text   string // never shown, as it may be a password
	number int    // in the line, from 1
	after  string // the option before it, "" = none that is known
}

// problem returns what is wrong with the word, without it, and what to do.
func (w strangeWord) problem() error {
	place := fmt.Sprintf("word %d after the program", w.number)
	if w.after != "" {
		place += ", which follows " + w.after + ","
	}
	if sign := wordProcessorSign(w.text); sign != "" {
		return fmt.Errorf("%s has %s; %s", place, sign, usertext.PlainSigns)
	}
	hint := "write the line as it was started"
	if name, _, _ := strings.Cut(strings.TrimLeft(w.text, "-"), "="); strings.HasPrefix(w.text, "--") {
		var names []string
		for _, o := range cliWalletOptions() {
			names = append(names, o.long)
		}
		if near := spelling.Nearest(name, names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return fmt.Errorf("%s is no option of cli_wallet; %s", place, hint)
}

// wordProcessorSign names the first dash or quote in a word that a word processor or a web page wrote in place of a plain one, "" = none.
func wordProcessorSign(word string) string {
	return cmp.Or(usertext.DashInFront(word), usertext.QuoteIn(word))
}

// nearFlag returns the long name, of ours or of cli_wallet, that a word with one dash was meant as; "" = none.
func nearFlag(word string, ours *pflag.FlagSet) string {
	var names []string
	ours.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, o := range cliWalletOptions() {
		names = append(names, o.long)
	}
	if name, _, _ := strings.Cut(word, "="); len(name) > 2 {
		return spelling.Nearest(name, names)
	}
	return ""
}

// ownWords returns the command line of ours that does the same. watched: a person sits before it, who can be asked.
func (c *cliWalletCall) ownWords(watched bool) ([]string, error) {
	flags := slices.Concat(c.before, c.flags)
	switch {
	case c.logLevel != "" && logLevelOf(c.logLevel) == "":
		return nil, errors.New("the log level of cli_wallet is one of the letters D, I, W, E and O; write it like -l W")
	case c.tls != "" && (c.ws != "" || c.http != ""):
		return nil, errors.New("-t of cli_wallet does not go with -r or -H, as Billfold encrypts all of its ports or none; " +
			"leave -t out, or the others: programs of this machine may call over --rpc-socket instead")
	case len(c.command) > 0: // it needs no wallet
		return c.command, nil
	}
	if folder := c.folder(); folder != "" && !c.has("data-dir") {
		flags = append(flags, "--data-dir="+folder)
	}
	switch {
	case len(c.rest) > 0: // a command of ours
		return slices.Concat(flags, c.ports(), c.rest), nil
	case c.file != "":
		return append(flags, "console", "--yes", c.file), nil // it opened no port
	case c.ws == "" && c.tls == "" && c.http == "" && !c.daemon && !c.has("rpc-http", "rpc-ws", "rpc-socket", "tui", "linear", "help"):
		if flags = append(flags, "console"); !watched {
			flags = append(flags, "--yes")
		}
		return flags, nil
	}
	flags = append(flags, c.ports()...)
	if level := logLevelOf(c.logLevel); level != "" && (len(c.ports()) > 0 || c.has("rpc-http", "rpc-ws", "rpc-socket")) && !c.has("tui", "linear", "log-level") {
		flags = append(flags, "--log-level="+string(level))
	}
	return flags, nil
}

// logLevelOf returns the level that a letter of cli_wallet stands for, "" for another text. Errors are always logged here.
func logLevelOf(letter string) logLevel {
	return map[string]logLevel{"D": logDebug, "I": logInfo, "W": logWarn, "E": logError, "O": logError}[letter]
}

// has reports whether one of our flags was given too.
func (c *cliWalletCall) has(names ...string) bool {
	return slices.ContainsFunc(c.before, func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return slices.Contains(names, strings.TrimPrefix(name, "--"))
	})
}

// ports returns the flags for the listeners.
func (c *cliWalletCall) ports() (flags []string) {
	if c.ws != "" {
		flags = append(flags, "--rpc-ws="+c.ws)
	}
	if c.tls != "" {
		pem := cmp.Or(c.certificate, "server.pem") // as there
		flags = append(flags, "--rpc-ws="+c.tls, "--rpc-tls-cert="+pem, "--rpc-tls-key="+pem)
	}
	if c.http != "" {
		flags = append(flags, "--rpc-http="+c.http)
	}
	return flags
}

// fromCLIWallet translates a command line that has options of cli_wallet, and returns a note on each. Any other one it returns as it is.
func fromCLIWallet(root *cobra.Command, words []string) (own, notes []string, err error) {
	c, err := readCLIWallet(words, flagsOfRoot(root))
	switch {
	case err != nil:
		return words, nil, shell.Misuse(err)
	case len(c.given) == 0:
		return words, nil, nil
	}
	for _, w := range c.strange {
		if len(c.rest) > 0 && w.text == c.rest[0] && !strings.HasPrefix(w.text, "-") && isCommand(root, w.text) || w.text == "-" || w.text == "--" {
			continue
		}
		return words, nil, shell.Misuse(w.problem())
	}
	for _, o := range c.given {
		if o.short == "p" && c.password {
			return words, nil, shell.Misuse(errors.New(o.note()))
		}
		notes = append(notes, o.note())
	}
	if own, err = c.ownWords(isTerminal()); err == nil {
		err = c.checkImported()
	}
	return own, notes, shell.Misuse(err)
}

// isCommand reports whether a word is a command of ours.
func isCommand(root *cobra.Command, word string) bool {
	return word == "help" || word == "completion" || slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
}

// flagsOfRoot returns the flags of the program itself.
func flagsOfRoot(root *cobra.Command) *pflag.FlagSet {
	root.InitDefaultHelpFlag()
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(root.Flags())
	all.AddFlagSet(root.PersistentFlags())
	return all
}

// checkImported refuses a wallet file of cli_wallet whose keys nobody has imported yet. Where there is no such file either, the wallet is a
// new one.
func (c *cliWalletCall) checkImported() error {
	if c.walletFile == "" || len(c.command) > 0 || len(c.rest) > 0 && c.rest[0] == "import" {
		return nil
	}
	folder := c.folder()
	if _, err := os.Stat(filepath.Join(folder, keystoreName)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(c.walletFile); err != nil {
		return nil
	}
	return fmt.Errorf("the keys of %s are not imported yet, which is done once: billfold --data-dir=%s import %s", c.walletFile,
		osfile.ShellWord(folder), osfile.ShellWord(c.walletFile))
}

// folder returns the wallet's folder, "" for the default one.
func (c *cliWalletCall) folder() string {
	for _, word := range c.before {
		if value, is := strings.CutPrefix(word, "--data-dir="); is {
			return value
		}
	}
	if named := os.Getenv(environmentPrefix + "DATA_DIR"); named != "" || c.walletFile == "" {
		return named
	}
	return strings.TrimSuffix(c.walletFile, ".json") + ".billfold" // so that each file has its own
}

// cliWalletMarkdown returns the options of cli_wallet as a table for the documentation.
func cliWalletMarkdown() string {
	var b strings.Builder
	b.WriteString("| cli_wallet | Billfold | |\n|---|---|---|\n")
	for _, o := range cliWalletOptions() {
		spelled, here := "`--"+o.long+"`", "none"
		if o.short != "" {
			spelled = "`-" + o.short + "`, " + spelled
		}
		if o.here != "" {
			here = "`" + o.here + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", spelled, here, o.why)
	}
	return b.String()
}
