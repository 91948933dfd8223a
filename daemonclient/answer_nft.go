package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
)

func nftID(raw json.RawMessage) (id ledger.NFTID, err error) {
	err = readID(raw, &id)
	return id, err
}

func nftRow(raw json.RawMessage) (id ledger.NFTID, name string, err error) {
	m, err := fields(raw, "id", "symbol")
	if err != nil {
		return 0, "", err
	}
	if id, err = nftID(m[0]); err != nil {
		return 0, "", err
	}
	name, err = symbol(m[1])
	return id, name, err
}

// checkNFTList compares kinds of tokens with the symbol to begin with and the limit.
func checkNFTList(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	ids := map[ledger.NFTID]bool{}
	last := ""
	for _, raw := range list {
		id, name, err := nftRow(raw)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the tokens from %s on", name, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two symbols", id)
		}
		ids[id], last = true, name
	}
	return nil
}

// checkNFTSymbols compares kinds of tokens with the symbols that were requested.
func checkNFTSymbols(q question, result json.RawMessage) error {
	symbols := q.list(0)
	list, err := exactly(result, len(symbols))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		_, name, err := nftRow(raw)
		if err != nil {
			return err
		}
		if want, err := plainText(symbols[i]); err != nil || name != want {
			return fmt.Errorf("asked for %s, %s came", quoted(symbols[i]), name)
		}
	}
	return nil
}

// tokenRow is one token: whose it is, and of which kind.
type tokenRow struct {
	id    ledger.NFTDataID
	kind  ledger.NFTID
	owner ledger.ObjectID
}

// eachToken reads tokens, none of which may be there twice.
func eachToken(result json.RawMessage, fits func(tokenRow) error) error {
	list, err := rows(result, blockSize)
	if err != nil {
		return err
	}
	seen := map[ledger.NFTDataID]bool{}
	for _, raw := range list {
		token, err := tokenOf(raw)
		switch {
		case err != nil:
			return err
		case seen[token.id]:
			return fmt.Errorf("%s occurs twice", token.id)
		}
		seen[token.id] = true
		if err := fits(token); err != nil {
			return err
		}
	}
	return nil
}

func tokenOf(raw json.RawMessage) (token tokenRow, err error) {
	m, err := fields(raw, "id", "nft_id", "owner")
	if err != nil {
		return token, err
	}
	if err = readID(m[0], &token.id); err != nil {
		return token, err
	}
	if token.kind, err = nftID(m[1]); err != nil {
		return token, err
	}
	if err = checkAccountRow(m[2]); err != nil {
		return token, err
	}
	token.owner, err = objectID(m[2])
	return token, err
}

// checkTokensOfKind: tokens of the kind that was requested.
func checkTokensOfKind(q question, result json.RawMessage) error {
	return eachToken(result, func(token tokenRow) error {
		if token.kind.Object() != q.object(0) {
			return fmt.Errorf("%s, of the kind %s, came for %s", token.id, token.kind, q.object(0))
		}
		return nil
	})
}

// checkTokensOfOwner: tokens of the account, of the kinds that were named.
func checkTokensOfOwner(q question, result json.RawMessage) error {
	kinds := map[ledger.ObjectID]bool{}
	for _, raw := range q.list(1) {
		kind, _ := objectID(raw) // it was written by this program
		kinds[kind] = true
	}
	return eachToken(result, func(token tokenRow) error {
		switch {
		case token.owner != q.object(0):
			return fmt.Errorf("%s of %s came for %s", token.id, token.owner, q.object(0))
		case len(kinds) > 0 && !kinds[token.kind.Object()]:
			return fmt.Errorf("%s is of the kind %s, which was not requested", token.id, token.kind)
		}
		return nil
	})
}

// checkTokenCounts: pairs of a kind, none twice, and a number above zero.
func checkTokenCounts(_ question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := map[ledger.NFTID]bool{}
	for _, raw := range list {
		pair, err := exactly(raw, 2)
		if err != nil {
			return err
		}
		kind, err := nftID(pair[0])
		if err != nil {
			return err
		}
		if n, err := number(pair[1], 32); err != nil || n == 0 || seen[kind] {
			return fmt.Errorf("%s of the kind %s came, or the kind occurs twice", quoted(pair[1]), kind)
		}
		seen[kind] = true
	}
	return nil
}
