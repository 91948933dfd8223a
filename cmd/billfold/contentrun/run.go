// Package contentrun publishes, buys and lists content for billfold content, with a wallet of this process or of a server.
//
//	buy:     offer ─► bought before? ─► review ─► pay once ─► package, parts of the key ─► restored key ─► folder
//	publish: folder ─► begun or offered before? ─► seeders ─► review ─► task of the wallet ─► on offer
//
// Each step looks first what an earlier run did of it, in the wallet and on the ledger, so that a command that was interrupted, or killed, goes
// on when it is given again. It pays under a request key that follows from the account and the content.
package contentrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/content/ipfs"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// Run holds the dependencies and settings of all commands.
type Run struct {
	Wallet  shell.Wallet
	Out     io.Writer        // for results
	Told    io.Writer        // for what a person reads meanwhile
	From    string           // the account that publishes or buys; "" = the wallet's only one
	Approve txbuild.Approver // shows what would be signed, and asks
	JSON    bool
	Here    bool   // the wallet's files are on this machine
	Flags   string // of this command, which those that it names need as well: " --data-dir …"

	assets map[ledger.AssetID]ledgerview.AssetRef
}

// pollTime is the interval at which the wallet is asked how far it is.
const pollTime = 500 * time.Millisecond

// op is the name of the command in errors.
const op = "content"

// call executes an operation and decodes its result.
func call[T any](ctx context.Context, w shell.Wallet, method string, params ...any) (out T, err error) {
	p := walletapi.Params{Positional: make([]json.RawMessage, len(params)), Exact: true}
	for i, value := range params {
		if p.Positional[i], err = codec.Marshal(value); err != nil {
			return out, err
		}
	}
	result, err := w.Call(ctx, method, p)
	if err != nil {
		return out, err
	}
	if err := codec.Unmarshal(result, &out); err != nil {
		return out, unreadable(method, err)
	}
	return out, nil
}

func unreadable(method string, err error) error {
	return &fault.Error{Code: fault.Internal, Op: method, Message: "the answer of " + method + " cannot be read", Err: err}
}

// path returns a path as the wallet is told it: from the root where its files are on this machine, and as it stands where they are not, because the
// server takes it for one in its folder for content.
func (r *Run) path(path string) (string, error) {
	if !r.Here {
		return path, nil
	}
	return filepath.Abs(path)
}

// account is the part of an account that is needed.
type account struct {
	ID   ledger.AccountID `json:"id"`
	Name string           `json:"name"`
}

// is reports whether a text names the account.
func (a account) is(text string) bool { return text == a.Name || text == a.ID.String() }

// account returns the account that was named, or the only one of the wallet.
func (r *Run) account(ctx context.Context) (account, error) {
	name := r.From
	if name == "" {
		own, err := callPlain[[]account](ctx, r.Wallet, "list_my_accounts")
		if err != nil {
			return account{}, err
		}
		if len(own) != 1 {
			return account{}, shell.Misuse(fmt.Errorf("the wallet has %d accounts; name one with --from", len(own)))
		}
		name = own[0].Name
	}
	return callPlain[account](ctx, r.Wallet, "get_account", name)
}

// callPlain is call for a result of which only some members are wanted.
func callPlain[T any](ctx context.Context, w shell.Wallet, method string, params ...any) (out T, err error) {
	raw, err := call[json.RawMessage](ctx, w, method, params...)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, unreadable(method, err)
	}
	return out, nil
}

// tell prints a line for a person.
func (r *Run) tell(format string, args ...any) {
	fmt.Fprintf(r.Told, format+"\n", args...)
}

// fact prints a value with its label.
func (r *Run) fact(label, value string) {
	if value != "" {
		fmt.Fprintf(r.Told, "%-12s %s\n", label, printable.Text(value))
	}
}

// answer prints a result: as JSON, or a sentence.
func (r *Run) answer(result any, format string, args ...any) error {
	if !r.JSON {
		_, err := fmt.Fprintf(r.Out, format+"\n", args...)
		return err
	}
	text, err := codec.Marshal(result)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Out, "%s\n", text)
	return err
}

// amount returns an amount with its asset's symbol.
func (r *Run) amount(ctx context.Context, a ledger.AssetAmount) string {
	if r.assets == nil {
		dct := ledgerview.DCT()
		r.assets = map[ledger.AssetID]ledgerview.AssetRef{dct.ID: dct}
	}
	of, known := r.assets[a.AssetID]
	if !known {
		found, err := callPlain[struct {
			Symbol    string `json:"symbol"`
			Precision uint8  `json:"precision"`
		}](ctx, r.Wallet, "get_asset", a.AssetID.String())
		if err != nil {
			return fmt.Sprintf("%d of %s", a.Amount, a.AssetID)
		}
		of = ledgerview.AssetRef{ID: a.AssetID, Symbol: found.Symbol, Precision: found.Precision}
		r.assets[a.AssetID] = of
	}
	return ledger.FormatAmount(a.Amount, of.Precision) + " " + of.Symbol
}

// offer reads the content of an address, nil if nobody offers any there.
func (r *Run) offer(ctx context.Context, uri string) (*ledger.Content, error) {
	found, err := call[*ledger.Content](ctx, r.Wallet, "get_content", uri)
	if plain := ipfs.Address(uri); err == nil && found == nil && plain != uri {
		return call[*ledger.Content](ctx, r.Wallet, "get_content", plain)
	}
	return found, err
}

// printed returns err. As JSON, what is known of the run that ended with it goes to the output.
func (r *Run) printed(known any, err error) error {
	if err == nil || !r.JSON {
		return err
	}
	if lost := r.answer(known, ""); lost != nil {
		return errors.Join(err, lost)
	}
	return err
}

// stopped returns the error of a run that a person or the system interrupted, and any other one as it is. What was sent stays sent.
func stopped(ctx context.Context, err error) error { return stoppedAfter(ctx, err, "") }

// stoppedAfter is stopped for a run that has done something, such as "it is paid".
func stoppedAfter(ctx context.Context, err error, done string) error {
	if code := fault.CodeOf(err); ctx.Err() == nil || code == fault.OutcomeUnknown || code == fault.Denied { // nothing was begun without an approval
		return err
	}
	if e, own := errors.AsType[*fault.Error](err); own && e.Unsettled {
		return err
	}
	message := "interrupted"
	if done != "" {
		message += "; " + done
	}
	return &fault.Error{Code: fault.Canceled, Op: op, Message: message, Hint: "the same command goes on where it was; nothing is paid twice", Err: err}
}

// begunError returns the error of a wallet that went away after something was begun, which it says: the outcome is not known here.
func begunError(err error, begun string) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own || e.Code != fault.Canceled || e.Unsettled || errors.Is(err, context.Canceled) { // what is Unsettled says so itself
		return err
	}
	said := *e
	said.Unsettled, said.Err, said.Hint = true, err, begun+"; once it answers, the same command goes on where it was, and nothing is paid twice"
	return &said
}

// wait waits for the next look.
func wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollTime):
		return nil
	}
}

// progress prints what is being done, when it is something else, and for each tenth of it.
type progress struct {
	run  *Run
	last string
	at   uint64 // tenths
}

func (p *progress) show(what string, done, total uint64) {
	tenths := uint64(0)
	if total > 0 {
		tenths = min(done, total) * 10 / total
	}
	if what == p.last && tenths == p.at {
		return
	}
	p.last, p.at = what, tenths
	if total == 0 {
		p.run.tell("%s", what)
		return
	}
	p.run.tell("%s: %d %% of %s", what, min(done, total)*100/total, printable.Size(total))
}
