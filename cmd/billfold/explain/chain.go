package explain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// key explains a public key.
func (e *explainer) key(ctx context.Context, key ledger.PublicKey) error {
	s := section{title: key.String() + ": public key"}
	s.add("form", "its checksum is right")
	if key.IsNull() {
		s.add("known as", "the null key: nobody has its private key, and plain memos are written with it")
	}
	own, err := ask[[]struct {
		Name string `json:"name"`
	}](ctx, e.wallet, "list_my_accounts")
	if err != nil {
		return e.withoutLedger(s, err)
	}
	for _, mine := range own {
		a, err := ask[ledger.Account](ctx, e.wallet, "get_account", mine.Name)
		if err != nil {
			return e.withoutLedger(s, err)
		}
		for what, is := range map[string]bool{
			"owner": a.Owner.HasKey(key), "active": a.Active.HasKey(key), "memo": a.Options.MemoKey == key,
		} {
			if is {
				s.add("wallet", "the "+what+" key of "+a.Name+", an account of this wallet")
			}
		}
	}
	slices.SortFunc(s.lines, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	e.sections = append(e.sections, s)
	return nil
}

// amount explains an amount, in DCT if it names no asset.
func (e *explainer) amount(ctx context.Context, word string) error {
	if !strings.ContainsAny(word, ". ") {
		return nil // a number alone is a block or a code
	}
	text, symbol, _ := strings.Cut(word, " ")
	of := ledger.Asset{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8}
	if symbol = strings.TrimSpace(symbol); symbol != "" && symbol != of.Symbol {
		var err error
		if of, err = ask[ledger.Asset](ctx, e.wallet, "get_asset", symbol); err != nil {
			return e.notFound(section{title: word + ": amount"}, err)
		}
	}
	s := section{title: word + ": amount"}
	value, err := ledger.ParseAmount(text, of.Precision)
	if err != nil {
		s.add("wrong", err.Error())
		e.missing = true
	} else {
		s.add("amount", ledger.FormatAmount(value, of.Precision)+" "+of.Symbol)
		s.add("smallest units", strconv.FormatInt(value, 10))
	}
	s.add("asset", fmt.Sprintf("%s (%s), %s", of.Symbol, of.ID, printable.Many(of.Precision, "decimal")))
	e.sections = append(e.sections, s)
	return nil
}

// block explains a block number.
func (e *explainer) block(ctx context.Context, word string) error {
	num, err := strconv.ParseUint(word, 10, 32)
	if err != nil || num == 0 {
		return nil
	}
	raw, err := ask[json.RawMessage](ctx, e.wallet, "get_block", num)
	if err != nil && fault.CodeOf(err) != fault.DaemonAway {
		raw, err = nil, nil // no such block
	}
	if err != nil {
		if len(e.sections) > 0 { // the number is also an error code
			return nil
		}
		return e.withoutLedger(section{}, err)
	}
	var b struct {
		ID           string            `json:"block_id"`
		Timestamp    string            `json:"timestamp"`
		Miner        ledger.MinerID    `json:"miner"`
		Transactions []json.RawMessage `json:"transactions"`
	}
	if string(raw) == "null" || json.Unmarshal(raw, &b) != nil || b.ID == "" {
		return nil
	}
	s := section{title: "Block " + word}
	s.add("id", b.ID)
	s.add("time", b.Timestamp+" UTC")
	s.add("miner", b.Miner.String())
	s.add("transactions", strconv.Itoa(len(b.Transactions)))
	e.sections = append(e.sections, s)
	return nil
}

// transaction explains a transaction id, from the journal or else from a daemon.
func (e *explainer) transaction(ctx context.Context, id ledger.TransactionID) error {
	s := section{title: id.String() + ": transaction"}
	paid, err := ask[struct {
		State       string                   `json:"state"`
		Reason      string                   `json:"reason"`
		Block       uint32                   `json:"block_num"`
		Key         string                   `json:"request_key"`
		Expiration  ledger.Time              `json:"expiration"`
		Transaction ledger.SignedTransaction `json:"transaction"`
	}](ctx, e.wallet, "get_payment", id.String())
	switch {
	case err == nil:
		s.add("wallet", "a payment of this wallet: "+paid.State)
		s.add("reason", paid.Reason)
		s.add("request key", paid.Key)
		if paid.Block > 0 {
			s.add("block", strconv.FormatUint(uint64(paid.Block), 10))
		}
		s.add("expiration", paid.Expiration.String()+" UTC")
		e.addOperations(ctx, &s, paid.Transaction.Operations)
		e.sections = append(e.sections, s)
		return nil
	case fault.CodeOf(err) != fault.NoSuchPayment:
		return err
	}
	s.add("wallet", "not a payment of this wallet")
	found, err := ask[*ledger.SignedTransaction](ctx, e.wallet, "get_transaction_by_id", id.String())
	switch {
	case err != nil && errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return e.withoutLedger(s, err)
	case found == nil:
		s.add("ledger", "the daemon does not know it (most remember ids only until they expire)")
	default:
		s.add("expiration", found.Expiration.String()+" UTC")
		e.addOperations(ctx, &s, found.Operations)
	}
	e.sections = append(e.sections, s)
	return nil
}

func (e *explainer) addOperations(ctx context.Context, s *section, ops []ledger.Operation) {
	const most = 10
	for i, op := range ops {
		if i == most {
			s.add("", fmt.Sprintf("and %d more", len(ops)-most))
			return
		}
		s.add("operation", ledger.Sentence(op, ledgerNames{ctx, e.wallet}))
	}
}
