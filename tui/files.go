package tui

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"billfold/ledger/codec"
	"billfold/tui/overlay/review"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// unsignedLife is for how many seconds an unsigned payment in a file can be signed and sent.
const unsignedLife = 3600

// files reads, signs and sends transactions that travel as files.
type files struct{ wallet *walletcore.Wallet }

// Open implements sign.Files.
func (f files) Open(ctx context.Context, path string) (sign.File, error) {
	if rest, home := strings.CutPrefix(path, "~/"); home {
		if dir, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(dir, rest)
		}
	}
	text, err := readFile(path)
	if err != nil {
		return sign.File{}, &fault.Error{Code: fault.BadFile, Op: "tx", Err: err,
			Message: "the transaction file cannot be read: " + err.Error()}
	}
	file, err := cosign.Parse(text)
	if err != nil {
		return sign.File{}, err
	}
	return f.look(ctx, path, file)
}

// readFile reads no more of a file than a transaction can have.
func readFile(path string) ([]byte, error) {
	if is, err := os.Stat(path); err == nil && !is.Mode().IsRegular() {
		return nil, errors.New(path + " is no file") // a pipe would be waited for
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, cosign.MaxSize+1))
}

// FileReview is what a transaction file holds, with the warnings of the page Sign, and what has to be typed before it is signed or sent,
// as that page asks it. Errors: those of KnownOf, fault.BadFile, the daemon's.
func FileReview(ctx context.Context, w *walletcore.Wallet, file *cosign.File) (cosign.Inspection, review.Page, error) {
	seen, err := files{w}.look(ctx, "", file)
	if err != nil {
		return cosign.Inspection{}, review.Page{}, err
	}
	env := ReviewEnv(w)
	seen.Holds.Careful = review.Careful(seen.Review)
	return seen.Holds, review.New(env, seen.Review, review.Prompt{Alone: true}), nil
}

// ReviewEnv is what is known to who reviews what is signed, outside of the UI.
func ReviewEnv(w *walletcore.Wallet) screen.Env {
	return screen.Env{Now: w.Build.Now(), Status: w.Status(), Accounts: w.Own.List(), Payments: w.Payments.Recent()}
}

// look describes a file by its bytes and what the wallet knows.
func (f files) look(ctx context.Context, path string, file *cosign.File) (sign.File, error) {
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
		out.Off = whyNot(err)
	}
	if out.Review, err = f.review(ctx, out); err != nil || !f.answered(file) {
		return out, err
	}
	if out.Holds.MarkBalancesKnown(); out.Off != "" {
		return out, nil
	}
	switch err := build.CheckApproved(ctx, f.wallet.Build, file.Transaction.Operations); fault.CodeOf(err) {
	case fault.FeeTooHigh:
		out.Off = whyNot(err)
	case fault.NoSuchProposal: // the review says so
	default:
		return out, err
	}
	return out, nil
}

// answered reports whether a daemon of the file's chain answers.
func (f files) answered(file *cosign.File) bool {
	return f.wallet.Status().Daemon == walletcore.DaemonOnline && file.Chain == f.wallet.View.Pins.Chain()
}

// whyNot is what happened, without advice for the command line.
func whyNot(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// review is what a file does. Nothing of it need be asked a daemon, so it pays nobody in the sense of a review: without one
// balances are not known.
func (f files) review(ctx context.Context, file sign.File) (build.Review, error) {
	tx := &file.Text.Transaction.Transaction
	r := f.wallet.Build.FactsOf(tx.Operations)
	r.To, r.ToObject, r.Amount = ledgerview.AccountRef{}, 0, 0
	r.Memo, r.MemoState, r.MemoBytes, r.Memos = "", vault.MemoNone, 0, nil // they are in Holds
	r.Sentences, r.Sentence = file.Holds.Sentences, strings.Join(file.Holds.Sentences, "; ")
	r.Effects, r.Chain, r.SignsWith = file.Holds.Effects, file.Text.Chain, file.Plan.Keys
	if file.Holds.Complete {
		r.SignsWith = file.Text.SignedBy()
	}
	if err := f.compare(ctx, file, &r); err != nil {
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

// compare adds what the daemon says of what a file changes, of what payers have, of whom it pays, and of what it approves; without
// one nobody counts as known, and what is approved as unread, so that it is not signed.
func (f files) compare(ctx context.Context, file sign.File, r *build.Review) error {
	ops := file.Text.Transaction.Operations
	if !f.answered(file.Text) {
		build.Presume(f.wallet.Build, r, file.Text.Unchecked.Called)
		return nil
	}
	if err := build.Effects(ctx, f.wallet.Build, r, ops); err != nil {
		return err
	}
	if err := build.Balances(ctx, f.wallet.Build, r); err != nil {
		return err
	}
	if err := build.Follow(ctx, f.wallet.Build, r, ops); err != nil {
		return err
	}
	if err := build.Compare(ctx, f.wallet.Build, r); err != nil {
		return err
	}
	return build.Intend(ctx, f.wallet.Build, r, ops)
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
	return f.look(ctx, path, &signed)
}

// Built implements sign.Files.
func (f files) Built(file sign.File) screen.Built { return signedFile{file, f.wallet.Payments} }

// signedFile is a file that has its signatures.
type signedFile struct {
	file     sign.File
	payments *payment.Payments
}

// Review implements screen.Built.
func (s signedFile) Review() build.Review { return s.file.Review }

// Send implements screen.Built.
func (s signedFile) Send(ctx context.Context) (payment.Payment, error) {
	return s.payments.Broadcast(ctx, s.file.Text.Transaction)
}

// saveHere is saveNew in the folder where the UI was started.
func saveHere(name string, text []byte) (path string, err error) {
	folder, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	return saveNew(filepath.Join(folder, name), text)
}

// saveNew writes a file. One that is there is left alone: the new one gets a number.
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
