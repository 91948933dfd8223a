package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"billfold/cmd/billfold/shell"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualCommand writes the manual pages, for those who package the program.
func manualCommand() *cobra.Command {
	return withoutSettings(&cobra.Command{
		Use: "manual FOLDER", Short: "Write the manual pages of all commands into a folder", Hidden: true, Args: exactly("FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return shell.Misuse(err)
			}
			return writeManual(cmd.Root(), args[0])
		},
	})
}

func writeManual(cmd *cobra.Command, folder string) error {
	if cmd.Hidden {
		return nil
	}
	if err := os.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), manualPage(cmd), 0o644); err != nil {
		return err
	}
	for _, below := range cmd.Commands() {
		if err := writeManual(below, folder); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage returns the page of a command, for man(1). It has the words of the command's help.
func manualPage(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	m, b := manual{}, readBuildInfo()
	date, _, _ := strings.Cut(b.CommitDate, "T")
	m.line(".TH %q 1 %q %q %q", strings.ToUpper(pageName(cmd)), date, "billfold "+b.Version, "Billfold")
	m.line(".SH NAME\n%s \\- %s", roff(pageName(cmd)), roff(cmd.Short))
	m.line(".SH SYNOPSIS\n.B %s", roff(cmd.UseLine()))
	m.line(".SH DESCRIPTION")
	m.text(firstOf(cmd.Long, cmd.Short+"."))
	if cmd.Example != "" {
		m.line(".SH EXAMPLES")
		m.text(cmd.Example)
	}
	m.line(".SH OPTIONS")
	cmd.NonInheritedFlags().VisitAll(m.flag)
	if cmd.HasParent() {
		if cmd.Annotations[noSettings] == "" {
			m.line(".PP\nThe settings that every command takes are in\n.BR billfold (1).")
		}
	} else {
		m.line(".SH ENVIRONMENT\nEach option can be given as BILLFOLD_ and its name in capitals, with _ for \\-: BILLFOLD_DAEMON_URL is \\-\\-daemon\\-url.")
		m.line(".SH FILES\n.TP\n.I ~/.billfold/default\nThe wallet's folder, unless \\-\\-data\\-dir names another.")
		m.line(".TP\n.I config.yaml\nSettings, in the wallet's folder. A misspelt one stops the start.")
		m.line(".TP\n.I wallet.keys\nThe encrypted key file, in the wallet's folder. Billfold keeps its earlier versions beside it.")
		m.exitCodes()
	}
	m.seeAlso(cmd)
	return m.Bytes()
}

func firstOf(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// manual is a page that is being written.
type manual struct{ bytes.Buffer }

// line writes a line whose parts are safe for roff already.
func (m *manual) line(form string, args ...any) { fmt.Fprintf(m, form+"\n", args...) }

// text writes paragraphs. Lines that are indented stay as they are, such as examples and lists.
func (m *manual) text(text string) {
	fixed := false
	fix := func(now bool) {
		if now && !fixed {
			m.line(".PP\n.nf")
		} else if !now && fixed {
			m.line(".fi")
		}
		fixed = now
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n ")
		if line == "" {
			fix(false)
			m.line(".PP")
			continue
		}
		fix(strings.HasPrefix(line, " "))
		m.line("%s", roff(line))
	}
	fix(false)
}

func (m *manual) flag(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		name = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + name
	}
	switch {
	case value != "" && f.NoOptDefVal != "" && f.NoOptDefVal != "true":
		name += `[=\fI` + roff(value) + `\fR]`
	case value != "":
		name += ` \fI` + roff(value) + `\fR`
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && !strings.Contains(usage, "(default ") {
		usage += " (default " + d + ")"
	}
	m.line(".TP\n%s\n%s", name, roff(usage))
}

func (m *manual) exitCodes() {
	m.line(".SH EXIT STATUS")
	for _, c := range []struct {
		code int
		what string
	}{
		{shell.Done, "It was done."},
		{shell.Refused, "Nothing was done, or the ledger or the wallet refused."},
		{shell.Misused, "A command, flag, operation or parameter is unknown or wrong."},
		{shell.Unknown, "A payment may have happened: look it up, and do not repeat it."},
		{shell.IsLocked, "The wallet is locked."},
		{shell.NoDaemon, "No daemon answers."},
	} {
		m.line(".TP\n.B %d\n%s", c.code, roff(c.what))
	}
}

func (m *manual) seeAlso(cmd *cobra.Command) {
	var others []string
	if cmd.HasParent() {
		others = append(others, pageName(cmd.Parent()))
	}
	for _, below := range cmd.Commands() {
		if !below.Hidden {
			others = append(others, pageName(below))
		}
	}
	if len(others) == 0 {
		return
	}
	m.line(".SH SEE ALSO")
	for i, name := range others {
		comma := ","
		if i == len(others)-1 {
			comma = ""
		}
		m.line(".BR %s (1)%s", roff(name), comma)
	}
}

// roff returns text as roff prints it.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
