package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// Wallet executes operations: the wallet of this process, or one that a server holds.
type Wallet interface {
	Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error)
}

// Opener is a wallet that can ask for its own password, before the secrets of an operation.
type Opener interface {
	Open(ctx context.Context, m *walletapi.Method) error
}

// Secrets asks for passwords and keys, which are not shown while they are typed.
type Secrets interface {
	Ask(what string) (string, error)
	AskNew(what string) (string, error) // for a new password: asks twice if a person types
}

// Person asks the person who types. A refusal is fault.Denied.
type Person interface {
	Approve(ctx context.Context, r txbuild.Review) error // asks to approve what would be signed
	Confirm(ctx context.Context, text string) error      // asks for a yes
}

// Shell runs operations that a person or a script types.
type Shell struct {
	Wallet  Wallet
	Secrets Secrets
	Person  Person            // nil = nobody can be asked
	Yes     bool              // spends need no confirmation
	Changed func(deed string) // called once an operation has changed something, before its result is shown; may be nil
}

// Command is an operation with its parameters, each as JSON.
type Command struct {
	Method string
	Params []json.RawMessage
	DryRun bool   // of a spend: only report what it would do
	Export uint32 // of a spend: only make the transaction, with this lifetime in seconds; 0 = no
}

// Find returns an operation of the catalogue, nil if there is none of that name.
func Find(name string) *walletapi.Method {
	methods := walletapi.Methods()
	if i := slices.IndexFunc(methods, func(m *walletapi.Method) bool { return m.Name == name }); i >= 0 {
		return methods[i]
	}
	return nil
}

// Run executes a command. It leaves refusing an unknown operation to the wallet, which
// suggests the nearest one.
func (s *Shell) Run(ctx context.Context, c Command) (json.RawMessage, error) {
	params := walletapi.Params{Exact: true, Positional: c.Params}
	m := Find(c.Method)
	if m == nil {
		return s.Wallet.Call(ctx, c.Method, params)
	}
	if params.Positional = m.FromWords(c.Params); params.Positional == nil {
		params.Positional = []json.RawMessage{}
	}
	if c.DryRun {
		if !m.Does(walletapi.Spends) {
			return nil, Misuse(fmt.Errorf("%s spends nothing; leave out --dry-run", m.Name))
		}
		params.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
	}
	if c.Export > 0 {
		if !m.Does(walletapi.Spends) || c.DryRun {
			return nil, Misuse(fmt.Errorf("%s cannot be exported: it spends nothing, or is a dry run", m.Name))
		}
		params.Named = map[string]json.RawMessage{"export": json.RawMessage(strconv.FormatUint(uint64(c.Export), 10))}
	}
	if err := checkSecrets(m, params.Positional); err != nil {
		return nil, err
	}
	var err error
	if params.Positional, err = s.fill(ctx, m, params); err != nil {
		return nil, err
	}
	if m.Nests && !s.Yes {
		const text = "  every command of the file is executed, and what spends is signed without another question\n"
		if s.Person == nil {
			return nil, unattendedError()
		}
		if err := s.Person.Confirm(ctx, text); err != nil {
			return nil, err
		}
	}
	if !s.Yes && m.Does(walletapi.Spends) && !c.DryRun {
		params.Approve = s.approve
	}
	result, err := s.Wallet.Call(ctx, m.Name, params)
	if err == nil && s.Changed != nil && m.Changes() && !c.DryRun && c.Export == 0 {
		s.Changed(deedOf(m, params))
	}
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Code == fault.Locked && e.Err == nil { // else it says why
		advised := *e
		advised.Hint = "unlock it first: the operation unlock asks for the password"
		err = &advised
	}
	return result, err
}

// deedOf returns what a call that succeeded has done, as the beginning of a sentence.
func deedOf(m *walletapi.Method, params walletapi.Params) string {
	at := slices.IndexFunc(m.Params, func(p walletapi.Param) bool { return p.Name == "broadcast" })
	no := []string{"false", "0", `"false"`, `"0"`}
	if m.Does(walletapi.Spends) && at >= 0 && at < len(params.Positional) && slices.Contains(no, string(params.Positional[at])) {
		return m.Name + " was signed, and not sent"
	}
	return m.Name + " was done"
}

// checkSecrets refuses a secret that was typed where it can be seen.
func checkSecrets(m *walletapi.Method, given []json.RawMessage) error {
	for i, value := range given {
		if i < len(m.Params) && m.Params[i].Secret && string(value) != dash {
			return Misuse(fmt.Errorf("%s of %s is secret and is not taken from a line or a command line, where others could read it; "+
				"write - instead, and Billfold asks for it", m.Params[i].Name, m.Name))
		}
	}
	return nil
}

// dash is the placeholder for a secret in a line.
const dash = `"-"`

// fill asks for the secrets of a call: those given as a dash, and the next required one.
func (s *Shell) fill(ctx context.Context, m *walletapi.Method, params walletapi.Params) ([]json.RawMessage, error) {
	given := slices.Clone(params.Positional)
	if n := len(given); n < len(m.Params) && m.Params[n].Secret && !m.Params[n].Optional {
		given = append(given, json.RawMessage(dash))
	}
	secret := slices.ContainsFunc(m.Params[:min(len(given), len(m.Params))], func(p walletapi.Param) bool { return p.Secret })
	if !secret {
		return given, nil
	}
	params.Positional = given
	if _, err := m.Bind(params); err != nil && fault.CodeOf(err) != fault.BadParameter { // before asking for anything
		return nil, err
	}
	if w, can := s.Wallet.(Opener); can {
		if err := w.Open(ctx, m); err != nil {
			return nil, err
		}
	}
	for i := range given {
		if i >= len(m.Params) || !m.Params[i].Secret {
			continue
		}
		ask := s.Secrets.Ask
		if m.Does(walletapi.Password) && i == 0 {
			ask = s.Secrets.AskNew
		}
		text, err := ask("The " + m.Params[i].Name)
		if err != nil {
			return nil, err
		}
		if given[i], err = json.Marshal(text); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// approve asks a person to approve what would be signed.
func (s *Shell) approve(ctx context.Context, r txbuild.Review) error {
	if s.Person == nil {
		return unattendedError()
	}
	return s.Person.Approve(ctx, r)
}

func unattendedError() error {
	return &fault.Error{Code: fault.Denied, Message: "nobody can be asked here whether this may be signed",
		Hint: "nothing was signed; look at it with billfold call --dry-run, then add --yes"}
}
