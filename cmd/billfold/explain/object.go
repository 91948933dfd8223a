package explain

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
)

// objectKinds returns the kinds of objects by the first two numbers of their ids (docs/protocol/ledger.md 1).
func objectKinds() map[string]string {
	return map[string]string{
		"1.2": "account", "1.3": "asset", "1.4": "miner", "1.6": "proposal", "1.7": "operation in histories", "1.8": "withdraw permission",
		"1.9": "vesting balance", "1.10": "kind of non-fungible token", "1.11": "non-fungible token",
		"2.0": "global properties", "2.1": "dynamic global properties", "2.3": "supply and pools of an asset", "2.4": "balance of an account",
		"2.5": "statistics of an account", "2.6": "transaction that nobody may repeat", "2.7": "summary of a block",
		"2.8": "entry of an account's history", "2.9": "chain properties", "2.10": "schedule of the miners", "2.11": "budget record",
		"2.12": "purchase", "2.13": "content", "2.14": "seeder", "2.15": "subscription", "2.16": "statistics of a seeder",
		"2.17": "transfer as histories show it", "2.18": "message", "2.19": "transaction in the history",
	}
}

// specialObjects describes objects that every chain has, by their ids.
func specialObjects() map[string]string {
	return map[string]string{
		"1.2.0": "the miners together: their approved proposals change the chain's parameters", "1.2.1": "nobody: what it holds is burnt",
		"1.2.2": "everybody: it counts as having approved", "1.2.3": "stands for \"votes itself\" as a voting account",
		"1.3.0": "the core asset, in which fees are paid", "1.4.0": "no miner",
	}
}

// object explains an object id.
func (e *explainer) object(ctx context.Context, id ledger.ObjectID) error {
	text := id.String()
	of := text[:strings.LastIndexByte(text, '.')]
	kind, known := objectKinds()[of]
	if !known {
		kind = "object of a kind that the ledger does not have"
	}
	s := section{title: text + ": " + kind}
	s.add("known as", specialObjects()[text])
	switch of {
	case "1.2":
		return e.account(ctx, text, s)
	case "1.3":
		return e.asset(ctx, text, s)
	}
	raw, err := ask[[]json.RawMessage](ctx, e.wallet, "get_object", text)
	switch {
	case err != nil:
		return e.withoutLedger(s, err)
	case len(raw) == 0 || string(raw[0]) == "null":
		s.add("ledger", "has no such object")
		e.missing = true
	case of == "1.7":
		var row ledger.HistoryRecord
		if json.Unmarshal(raw[0], &row) == nil {
			e.addOperations(ctx, &s, []ledger.Operation{row.Op})
		}
		s.addMembers(raw[0], 14)
	default:
		s.addMembers(raw[0], 14)
	}
	e.sections = append(e.sections, s)
	return nil
}

// account explains an account by name or id.
func (e *explainer) account(ctx context.Context, nameOrID string, s section) error {
	a, err := ask[ledger.Account](ctx, e.wallet, "get_account", nameOrID)
	if err != nil {
		return e.notFound(s, err)
	}
	if s.title == "" {
		s.title = a.Name + ": account"
	}
	s.add("name", a.Name)
	s.add("id", a.ID.String())
	s.add("owner", authority(a.Owner))
	s.add("active", authority(a.Active))
	s.add("memo key", a.Options.MemoKey.String())
	balances, err := ask[[]struct {
		Pretty string `json:"pretty_amount"`
	}](ctx, e.wallet, "list_account_balances", a.ID.String())
	if err == nil {
		for _, b := range balances {
			s.add("balance", b.Pretty)
		}
	}
	if own, err := ask[[]struct {
		ID ledger.AccountID `json:"id"`
	}](ctx, e.wallet, "list_my_accounts"); err == nil {
		for _, mine := range own {
			if mine.ID == a.ID {
				s.add("wallet", "one of this wallet's accounts")
			}
		}
	}
	e.sections = append(e.sections, s)
	return nil
}

// authority describes in one line who can act.
func authority(a ledger.Authority) string {
	var who []string
	for _, k := range a.KeyAuths {
		who = append(who, fmt.Sprintf("%s (%d)", k.Key, k.Weight))
	}
	for _, k := range a.AccountAuths {
		who = append(who, fmt.Sprintf("%s (%d)", k.Account, k.Weight))
	}
	switch {
	case a.WeightThreshold == 0:
		return strings.TrimSuffix("anybody can act, without any signature: 0 of "+strings.Join(who, ", "), ": 0 of ")
	case len(who) == 0:
		return "nobody can act"
	}
	return fmt.Sprintf("%d of %s", a.WeightThreshold, strings.Join(who, ", "))
}

// asset explains an asset by symbol or id.
func (e *explainer) asset(ctx context.Context, symbolOrID string, s section) error {
	a, err := ask[ledger.Asset](ctx, e.wallet, "get_asset", symbolOrID)
	if err != nil {
		return e.notFound(s, err)
	}
	if s.title == "" {
		s.title = a.Symbol + ": asset"
	}
	s.add("symbol", a.Symbol)
	s.add("id", a.ID.String())
	s.add("decimals", fmt.Sprint(a.Precision))
	s.add("issuer", e.accountName(ctx, a.Issuer))
	s.add("description", a.Description)
	e.sections = append(e.sections, s)
	return nil
}
