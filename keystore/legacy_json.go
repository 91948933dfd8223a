package keystore

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
)

type legacyJSON struct {
	Version         int                `json:"version"`
	UpdateTime      string             `json:"update_time"`
	ChainID         ledger.ChainID     `json:"chain_id"`
	MyAccounts      []legacyAccount    `json:"my_accounts"`
	CipherKeys      *string            `json:"cipher_keys"`
	ExtraKeys       []legacyExtra      `json:"extra_keys"`
	PendingAccounts []legacyPending    `json:"pending_account_registrations"`
	PendingMiners   []legacyPendingOne `json:"pending_miner_registrations"`
	Server          string             `json:"ws_server"`
}

type legacyAccount struct {
	ID     ledger.AccountID `json:"id"`
	Name   string           `json:"name"`
	Owner  legacyAuthority  `json:"owner"`
	Active legacyAuthority  `json:"active"`

	Options struct {
		MemoKey ledger.PublicKey `json:"memo_key"`
	} `json:"options"`
}

type legacyAuthority struct {
	Keys []pair[ledger.PublicKey, json.RawMessage] `json:"key_auths"`
}

type (
	legacyExtra      = pair[ledger.AccountID, []ledger.PublicKey]
	legacyPending    = pair[string, []string]
	legacyPendingOne = pair[string, string]
)

// pair is a JSON array of exactly two elements.
type pair[A, B any] struct {
	first  A
	second B
}

func (p *pair[A, B]) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("an array of %d instead of 2", len(parts))
	}
	if err := json.Unmarshal(parts[0], &p.first); err != nil {
		return err
	}
	return json.Unmarshal(parts[1], &p.second)
}

func legacyForeignError(why string) error {
	return &Error{Kind: ErrForeign, Message: "This is not a wallet.json of cli_wallet: " + why, Hint: "check the path; nothing was changed"}
}

func legacyDamagedError(what string) error {
	return &Error{Kind: ErrDamaged, Message: "The wallet.json is damaged: " + what, Hint: "use a backup of it; nothing was changed"}
}
