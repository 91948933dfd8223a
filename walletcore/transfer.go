package walletcore

import (
	"context"
	"errors"
	"strconv"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// contentSpaceType is where the ids of content objects live: 2.13.N.
const contentSpace, contentType = 2, 13

// recipient is where a transfer goes, with the key its memo is written to.
type recipient struct {
	object  ledger.ObjectID
	account *ledger.Account // nil when object is content: then author is its author
	author  *ledger.Account
}

// party is the account that reads the memo.
func (r recipient) party() *ledger.Account {
	if r.account != nil {
		return r.account
	}
	return r.author
}

func (r recipient) memoKey() ledger.PublicKey { return r.party().Options.MemoKey }

// contentID reads the id of a content object.
func contentID(text string) (ledger.ObjectID, bool) {
	id, err := ledger.ParseObjectID(text)
	return id, err == nil && id.Space() == contentSpace && id.Type() == contentType
}

// transfer builds the operation from what was asked: obsolete
// transfer (0) to an account, transfer (39) to content, which the other cannot
// express (DESIGN decision 1).
func (w *Wallet) transfer(ctx context.Context, req TransferRequest) (spend, error) {
	from, err := w.View.Quorum.Account(ctx, req.From)
	if err != nil {
		return spend{}, err
	}
	asset, err := w.View.Quorum.Asset(ctx, req.Asset)
	if err != nil {
		return spend{}, err
	}
	to, err := w.recipient(ctx, req.To)
	if err != nil {
		return spend{}, err
	}
	value, err := parseAmount(req.Amount, asset)
	if err != nil {
		return spend{}, err
	}
	memo, err := w.memoFor(from, to, req)
	if err != nil {
		return spend{}, err
	}
	if err := w.pinParties(ctx, asset, from, to.party()); err != nil {
		return spend{}, err
	}
	amount := ledger.AssetAmount{Amount: value, AssetID: asset.ID}
	s := spend{to: to.party(), holds: w.holdTransfer(req, to.memoKey())}
	if to.account == nil {
		s.ops = []ledger.Operation{ledger.NewOperation(&ledger.TransferOp{From: from.ID, To: to.object, Amount: amount, Memo: memo})}
	} else {
		s.ops = []ledger.Operation{ledger.NewOperation(&ledger.TransferObsoleteOp{From: from.ID, To: to.account.ID, Amount: amount, Memo: memo})}
	}
	return s, nil
}

// pinParties keeps what never changes of the asset and the accounts of something
// that is about to be signed or shown for it.
func (w *Wallet) pinParties(ctx context.Context, asset ledgerview.AssetRef, accounts ...*ledger.Account) error {
	for _, a := range accounts {
		if err := w.View.Pins.PinAccount(ctx, ledgerview.AccountRef{ID: a.ID, Name: a.Name}); err != nil {
			return err
		}
	}
	return w.View.Pins.PinAsset(ctx, asset)
}

// recipient finds the target of a transfer. Every failure is
// fault.NoSuchRecipient, which the reference tells apart from an unknown sender.
func (w *Wallet) recipient(ctx context.Context, text string) (recipient, error) {
	if id, ok := contentID(text); ok {
		return w.contentRecipient(ctx, id)
	}
	a, err := w.View.Quorum.Account(ctx, text)
	if err == nil {
		return recipient{object: a.ID.Object(), account: a}, nil
	}
	if code := fault.CodeOf(err); code == fault.NoSuchAccount || code == fault.EmptyAccount {
		return recipient{}, noSuchRecipient(text, err)
	}
	return recipient{}, err
}

func noSuchRecipient(text string, err error) *fault.Error {
	return &fault.Error{Code: fault.NoSuchRecipient, Op: "transfer", Message: "there is no account " + fault.Quote(text) + " to pay to", Hint: "check the spelling; nothing was sent", Err: err}
}

func (w *Wallet) contentRecipient(ctx context.Context, id ledger.ObjectID) (recipient, error) {
	by, err := daemonclient.AskQuorum(ctx, w.daemon, "content "+id.String(), func(ctx context.Context, q daemonclient.Queries) (*ledger.AccountID, error) {
		return authorOf(ctx, q, id)
	}, func(by *ledger.AccountID) string {
		if by == nil {
			return "none"
		}
		return by.String()
	})
	if err != nil {
		return recipient{}, fault.Daemon("reading content "+id.String(), err)
	}
	if by == nil {
		return recipient{}, noSuchRecipient(id.String(), nil)
	}
	author, err := w.View.Quorum.Account(ctx, by.String())
	if err != nil {
		return recipient{}, err
	}
	return recipient{object: id, author: author}, w.View.Pins.PinAuthor(ctx, id, author.ID)
}

// authorOf reads who the author of content is; nil when there is no such content.
func authorOf(ctx context.Context, q daemonclient.Queries, id ledger.ObjectID) (*ledger.AccountID, error) {
	found, err := q.GetObjects(ctx, []ledger.ObjectID{id})
	if err != nil || len(found) != 1 || ledgerview.IsNull(found[0]) {
		return nil, err
	}
	var content struct {
		Author ledger.AccountID `json:"author"`
	}
	err = codec.Unmarshal(found[0], &content)
	return &content.Author, err
}

// parseAmount reads decimal text as an amount of the asset that can be moved.
func parseAmount(text string, asset ledgerview.AssetRef) (int64, error) {
	value, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
	e := &fault.Error{Op: "amount", Code: fault.BadAmount, Err: err, Hint: "write only digits and one point"}
	var bad *ledger.AmountError
	switch {
	case err == nil && value > 0:
		return value, nil
	case err == nil:
		e.Code, e.Message, e.Hint = fault.InvalidOperation, "an amount must be more than zero", "write a larger one"
		return 0, e
	case text == "" || text == "." || text == "-":
		e.Code, e.Message = fault.InvalidOperation, "an amount is needed, not "+fault.Quote(text)
		return 0, e
	case errors.As(err, &bad):
		e.Message, e.Hint = fault.Quote(text)+" is not an amount: "+bad.Why.Error(), bad.Hint
	}
	switch {
	case errors.Is(err, ledger.ErrAmountNegative):
		e.Code, e.Message = fault.InvalidOperation, fault.Quote(text)+" is negative; an amount must be more than zero"
	case errors.Is(err, ledger.ErrAmountDigits):
		e.Message = fault.Quote(text) + " has more decimals than " + asset.Symbol + " allows"
	case errors.Is(err, ledger.ErrAmountLimit):
		e.Code, e.Message = fault.AmountLimit, fault.Quote(text)+" is more than any asset has"
	case errors.Is(err, ledger.ErrAmountOverflow):
		e.Code, e.Message = fault.AmountOverflow, fault.Quote(text)+" is more than any asset can have"
	}
	return 0, e
}

// memoFor makes the memo: none for empty text; else encrypted from the
// sender's memo key, which must be in the wallet, to the recipient's.
func (w *Wallet) memoFor(from *ledger.Account, to recipient, req TransferRequest) (*ledger.Memo, error) {
	if req.Memo == "" {
		return nil, nil
	}
	if req.Plain {
		memo := ledger.PlainMemo(req.Memo)
		return &memo, nil
	}
	store, err := w.unlocked("transfer")
	if err != nil {
		return nil, err
	}
	var memo ledger.Memo
	err = store.View(func(keys *keystore.Secrets) (err error) { // the key stays while it is used
		memo, err = w.encryptMemo(keys, from, to, req.Memo)
		return err
	})
	if err != nil {
		return nil, fault.Own("transfer", err)
	}
	return &memo, nil
}

func (w *Wallet) encryptMemo(keys *keystore.Secrets, from *ledger.Account, to recipient, text string) (ledger.Memo, error) {
	key, ok := keys.Key(from.Options.MemoKey)
	if !ok {
		return ledger.Memo{}, &fault.Error{Code: fault.KeyNotInWallet, Op: "transfer", Message: "the memo key of " + from.Name + " is not in this wallet, so the memo cannot be encrypted", Hint: "import it, or send without a memo"}
	}
	memo, err := w.secrets.encrypt(key, from.Options.MemoKey, to.memoKey(), text)
	if err != nil {
		return ledger.Memo{}, &fault.Error{Code: fault.BadPublicKey, Op: "transfer", Message: "the recipient's memo key cannot be used: " + err.Error(), Hint: "send without a memo"}
	}
	return memo, nil
}

// Transfer builds, signs and, if asked, broadcasts a transfer, as the
// reference's transfer does. Errors: fault.Locked first of all.
func (w *Wallet) Transfer(ctx context.Context, req TransferRequest, how Sending) (*SignedInfo, error) {
	if _, err := w.unlocked("transfer"); err != nil {
		return nil, err
	}
	return w.finish(ctx, how, asked{
		words: []string{"transfer", req.From, req.To, req.Amount, req.Asset, req.Memo, strconv.FormatBool(req.Plain)},
		spend: func(ctx context.Context) (spend, error) { return w.transfer(ctx, req) },
	})
}

// RegisterAccount creates an account with given keys; its memo key is the
// active key, as in the reference. Errors: fault.Locked, fault.AccountExists,
// fault.NoSuchAccount (registrar), fault.InvalidOperation (name).
func (w *Wallet) RegisterAccount(ctx context.Context, name string, owner, active ledger.PublicKey, registrar string, how Sending) (*SignedInfo, error) {
	if _, err := w.unlocked("register_account"); err != nil {
		return nil, err
	}
	return w.finish(ctx, how, asked{
		words: []string{"register_account", name, owner.String(), active.String(), registrar},
		spend: func(ctx context.Context) (spend, error) {
			if err := w.nameFree(ctx, name); err != nil && !how.repeats(ctx, w) {
				return spend{}, err
			}
			payer, err := w.View.Quorum.Account(ctx, registrar)
			if err != nil {
				return spend{}, err
			}
			return spend{
				ops: []ledger.Operation{ledger.NewOperation(&ledger.AccountCreateOp{
					Registrar: payer.ID, Name: name,
					Owner: ledger.SingleKeyAuthority(owner), Active: ledger.SingleKeyAuthority(active),
					Options: ledger.NewAccountOptions(active),
				})},
				holds: w.holdRegistration(name, owner, active, registrar),
			}, w.pinParties(ctx, ledgerview.DCT(), payer)
		},
	})
}

func (w *Wallet) nameFree(ctx context.Context, name string) error {
	found, err := w.daemon.LookupAccountNames(ctx, []string{name})
	if err != nil {
		return fault.Daemon("looking up "+fault.Quote(name), err)
	}
	if len(found) == 1 && found[0] != nil {
		return &fault.Error{Code: fault.AccountExists, Op: "register_account", Message: "the name " + fault.Quote(name) + " is taken, by account " + found[0].ID.String(), Hint: "choose another name"}
	}
	return nil
}
