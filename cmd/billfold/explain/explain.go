package explain

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/paylink"
	"billfold/walletcore/spelling"
	"billfold/walletcore/walletapi"
)

// Word prints what a word is. It fails with fault.Denied for a private key or an unknown word, and
// with fault.DaemonAway if only a daemon could tell.
func Word(ctx context.Context, w shell.Wallet, out io.Writer, word string) error {
	word = strings.TrimSpace(word)
	if secret := ledger.SecretIn(word); secret != "" {
		return &fault.Error{Code: fault.Denied, Op: "explain",
			Message: "this is " + secret + ": whoever saw it on the command line can spend with it",
			Hint:    "move what it controls to a new key; billfold call import_key asks for keys without showing them"}
	}
	if paylink.Is(word) {
		link, err := paylink.Parse(word)
		if err != nil {
			return &fault.Error{Code: fault.Denied, Op: "explain", Message: err.Error(), Err: err}
		}
		fmt.Fprintf(out, "a payment link: it asks to pay %s, amount %s, asset %s, memo %s\nSend takes it where it asks To; nothing is paid before you have reviewed it\n",
			fault.Quote(link.To), fault.Quote(link.Amount), fault.Quote(link.Asset), fault.Quote(strings.NewReplacer("\r\n", "↵", "\n", "↵", "\r", "↵").Replace(link.Memo)))
		return nil
	}
	e := &explainer{wallet: w}
	if err := e.explain(ctx, word); err != nil {
		return err
	}
	printAll(out, e.sections)
	switch {
	case e.daemonError != nil && !slices.ContainsFunc(e.sections, func(s section) bool { return len(s.lines) > 0 }):
		return e.daemonError
	case e.daemonError != nil:
		fmt.Fprintln(out, "\n(no daemon answered: what the ledger knows of it is missing)")
	case e.missing || len(e.sections) == 0:
		near := ""
		if name := spelling.Nearest(word, methodNames()); name != "" {
			near = "did you mean " + name + "? "
		}
		return &fault.Error{Code: fault.Denied, Op: "explain", Message: "nothing is known as " + fault.Quote(word),
			Hint: near + fault.AccountSpelling(word, "an object id, account, asset, transaction id, public key, error code, block number, amount or operation "+
				"can be explained")}
	}
	return nil
}

// explain adds a section for everything that the word may be by its form.
func (e *explainer) explain(ctx context.Context, word string) error {
	if id, err := ledger.ParseObjectID(word); err == nil {
		return e.object(ctx, id)
	}
	if id, err := ledger.ParseTransactionID(word); err == nil {
		return e.transaction(ctx, id)
	}
	if key, err := ledger.ParsePublicKey(word); err == nil {
		return e.key(ctx, key)
	}
	if m := walletMethod(word); m != nil {
		s := section{title: m.Name + ": operation of the wallet"}
		s.add("does", m.Help)
		s.add("usage", m.Usage())
		e.sections = append(e.sections, s)
		return nil
	}
	e.sections = append(e.sections, codeSections(word)...)
	steps := []struct {
		form *regexp.Regexp
		do   func(context.Context, string) error
	}{
		{regexp.MustCompile(`^[0-9]+$`), e.block},
		{regexp.MustCompile(`^[0-9]*\.?[0-9]+( +[A-Z][A-Z0-9.]*)?$`), e.amount},
		{regexp.MustCompile(`^[A-Z][A-Z0-9]*(\.[A-Z0-9]+)*$`), func(ctx context.Context, word string) error {
			return e.asset(ctx, word, section{})
		}},
		{regexp.MustCompile(`^[a-z][a-z0-9.-]*$`), func(ctx context.Context, w string) error {
			if len(e.sections) > 0 { // it is the name of a code
				return nil
			}
			return e.account(ctx, w, section{})
		}},
	}
	for _, step := range steps {
		if step.form.MatchString(word) {
			if err := step.do(ctx, word); err != nil {
				return err
			}
		}
	}
	return nil
}

func methodNames() (names []string) {
	for _, m := range walletapi.Methods() {
		names = append(names, m.Name)
	}
	return names
}

func walletMethod(name string) *walletapi.Method {
	for _, m := range walletapi.Methods() {
		if m.Name == name {
			return m
		}
	}
	return nil
}
