package tui

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"billfold/ledger/codec"
	"billfold/tui/overlay/review"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// unsignedLife is the time for which an unsigned payment in a file can be signed and sent, in seconds.
const unsignedLife = 3600

// files reads, signs and sends transactions that are passed around as files.
type files struct{ wallet *walletcore.Wallet }

// Open implements sign.Files.
func (f files) Open(ctx context.Context, path string) (sign.File, error) {
	text, err := readFile(path)
	if err != nil {
		return sign.File{}, unreadable(path, err)
	}
	file, err := cosign.Parse(text)
	if err != nil {
		return sign.File{}, err
	}
	return f.inspect(ctx, path, file)
}

// readFile reads a file, but no more of it than a transaction can have.
func readFile(path string) ([]byte, error) {
	if is, err := os.Stat(path); err == nil && !is.Mode().IsRegular() {
		return nil, errors.New(path + " is no file") // reading a pipe could block forever
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, cosign.MaxSize+1))
}

// unreadable returns the error of a transaction file that cannot be read.
func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &fault.Error{Code: fault.File, Op: "tx", Err: err, Message: "there is no transaction file " + path, Hint: "check its path"}
	}
	return &fault.Error{Code: fault.File, Op: "tx", Err: err, Message: "the transaction file cannot be read: " + err.Error()}
}

// FileReview returns what a transaction file holds, with the warnings of the Sign page, and what that page has a person type before
// the file is signed or sent. Errors: those of KnownOf, fault.BadFile, the daemon's.
func FileReview(ctx context.Context, w *walletcore.Wallet, file *cosign.File) (cosign.Inspection, review.Page, error) {
	seen, err := files{w}.inspect(ctx, "", file)
	if err != nil {
		return cosign.Inspection{}, review.Page{}, err
	}
	env := ReviewEnv(w)
	seen.Holds.Careful = review.Warnings(seen.Review)
	return seen.Holds, review.New(env, seen.Review, review.Prompt{Alone: true}), nil
}

// ReviewEnv returns what reviews know about the wallet, for a review outside the UI.
func ReviewEnv(w *walletcore.Wallet) screen.Env {
	return screen.Env{Now: w.Build.Now(), Status: w.Status(), Accounts: w.Own.List(), Payments: w.Payments.Recent()}
}

// inspect describes a file by its bytes and by what the wallet knows.
func (f files) inspect(ctx context.Context, path string, file *cosign.File) (sign.File, error) {
	now := f.wallet.Build.Now()
	known, err := f.wallet.KnownOf(ctx, file)
	if err != nil {
		return sign.File{}, err
	}
	holds, err := file.Inspect(known, now)
	if err != nil {
		return sign.File{}, err
	}
	out := sign.File{Path: path, Text: file, Holds: holds}
	if out.Plan, err = file.PlanSigning(vault.Cosigner{Vault: f.wallet.Vault}, now, f.wallet.Build.CheckFees); err != nil {
		out.Off = messageOf(err)
	}
	if out.Review, err = f.review(ctx, out); err != nil || !f.daemonAnswers(file) {
		return out, err
	}
	if out.Holds.MarkBalancesKnown(); out.Off != "" {
		return out, nil
	}
	switch err := f.wallet.Build.CheckApproved(ctx, file.Transaction.Operations); fault.CodeOf(err) {
	case fault.FeeTooHigh:
		out.Off = messageOf(err)
	case fault.NoSuchProposal: // the review shows that
	default:
		return out, err
	}
	return out, nil
}

// daemonAnswers reports whether a daemon of the file's chain answers.
func (f files) daemonAnswers(file *cosign.File) bool {
	return f.wallet.Status().Daemon == walletcore.DaemonOnline && file.Chain == f.wallet.View.Pins.Chain()
}

// messageOf returns what happened, without the hint, which is meant for the command line.
func messageOf(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// review returns the review of what a file does. It can be made without a daemon; it has no recipient and no amount, because
// balances are not known without one.
func (f files) review(ctx context.Context, file sign.File) (txbuild.Review, error) {
	tx := &file.Text.Transaction.Transaction
	r := f.wallet.Build.FactsOf(tx.Operations)
	r.To, r.ToObject, r.Amount = ledgerview.AccountRef{}, 0, 0
	r.Memo, r.MemoState, r.MemoBytes, r.Memos = "", vault.MemoNone, 0, nil // they are in Holds
	r.Sentences, r.Sentence = file.Holds.Sentences, strings.Join(file.Holds.Sentences, "; ")
	r.Effects, r.Chain, r.SignsWith = file.Holds.Effects, file.Text.Chain, file.Plan.Keys
	if file.Holds.Complete {
		r.SignsWith = file.Text.SignedBy()
	}
	if err := f.addLedgerFacts(ctx, file, &r); err != nil {
		return r, err
	}
	packed, err := tx.Pack()
	if err != nil {
		return r, err
	}
	readable, err := codec.Marshal(tx)
	r.Bytes, r.JSON = hex.EncodeToString(packed), string(readable)
	return r, err
}

// addLedgerFacts adds to a review what the daemon says about the changes, the payers' balances, the recipients and the approved
// proposals. Without a daemon, no recipient counts as known, and an approved proposal counts as unread, so that it is not signed.
func (f files) addLedgerFacts(ctx context.Context, file sign.File, r *txbuild.Review) error {
	ops := file.Text.Transaction.Operations
	if err := f.wallet.Build.AddUndone(ctx, r, ops); err != nil {
		return err
	}
	if !f.daemonAnswers(file.Text) {
		f.wallet.Build.AssumeNewRecipients(r, file.Text.Unchecked.Called)
		return nil
	}
	if err := f.wallet.Build.AddEffects(ctx, r, ops); err != nil {
		return err
	}
	if err := f.wallet.Build.AddBalances(ctx, r); err != nil {
		return err
	}
	if err := f.wallet.Build.AddConsequences(ctx, r, ops); err != nil {
		return err
	}
	if err := f.wallet.Build.CompareWithHistory(ctx, r); err != nil {
		return err
	}
	if err := f.wallet.Build.AddIntents(ctx, r, ops); err != nil {
		return err
	}
	return r.CheckWhole()
}

// Sign implements sign.Files.
func (f files) Sign(ctx context.Context, file sign.File) (sign.File, error) {
	signed := *file.Text
	if err := signed.Sign(vault.Cosigner{Vault: f.wallet.Vault}, file.Plan); err != nil {
		return file, err
	}
	text, err := signed.Bytes()
	if err != nil {
		return file, err
	}
	ext := filepath.Ext(file.Path)
	path, err := saveNew(strings.TrimSuffix(file.Path, ext)+"-signed"+ext, text)
	if err != nil {
		return file, &fault.Error{Code: fault.File, Op: "tx", Message: "the signed file cannot be written: " + err.Error(), Err: err}
	}
	return f.inspect(ctx, path, &signed)
}

// Built implements sign.Files.
func (f files) Built(file sign.File) screen.Built { return signedFile{file, f.wallet.Payments} }

// signedFile is a file with all its signatures.
type signedFile struct {
	file     sign.File
	payments *payment.Payments
}

// Review implements screen.Built.
func (s signedFile) Review() txbuild.Review { return s.file.Review }

// Send implements screen.Built.
func (s signedFile) Send(ctx context.Context) (payment.Payment, error) {
	return s.payments.Broadcast(ctx, s.file.Text.Transaction, s.file.Review)
}

// saveHere is saveNew in the folder where the UI was started.
func saveHere(name string, text []byte) (path string, err error) {
	folder, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	return saveNew(filepath.Join(folder, name), text)
}

// saveNew writes a new file and returns its path. It never overwrites a file: if path exists, the new file's name gets a number.
func saveNew(path string, text []byte) (written string, err error) {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(path, ext)
	for n := 2; ; n++ {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = file.Write(text)
			return path, errors.Join(err, file.Close())
		}
		if !errors.Is(err, os.ErrExist) || n == 1000 {
			return "", err
		}
		path = fmt.Sprintf("%s-%d%s", base, n, ext)
	}
}
