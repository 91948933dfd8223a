package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// checkOnly expects the one object with this id.
func checkOnly(id string, result json.RawMessage) error {
	m, err := fields(result, "id")
	if err != nil {
		return err
	}
	if got, err := plainText(m[0]); err != nil || got != id {
		return fmt.Errorf("asked for %s, got %s", id, quoted(m[0]))
	}
	return nil
}

// checkGlobal expects the chain's parameters, with a block interval and active miners, none twice.
func checkGlobal(_ question, result json.RawMessage) error {
	if err := checkOnly("2.0.0", result); err != nil {
		return err
	}
	var p ledger.GlobalProperties
	if err := codec.Unmarshal(result, &p); err != nil {
		return err
	}
	if p.Parameters.BlockInterval == 0 {
		return fmt.Errorf("the block interval is 0")
	}
	seen := make(map[ledger.MinerID]bool, len(p.ActiveMiners))
	for _, miner := range p.ActiveMiners {
		if seen[miner] {
			return fmt.Errorf("%s is an active miner twice", miner)
		}
		seen[miner] = true
	}
	return nil
}

// checkDynamic expects that the head's id contains the head's number, and that nothing beyond the head is irreversible.
func checkDynamic(_ question, result json.RawMessage) error {
	if err := checkOnly("2.1.0", result); err != nil {
		return err
	}
	var p ledger.DynamicGlobalProperties
	if err := codec.Unmarshal(result, &p); err != nil {
		return err
	}
	switch {
	case p.HeadBlockID.Num() != p.HeadBlockNumber:
		return fmt.Errorf("the head block is #%d by its number and #%d by its id", p.HeadBlockNumber, p.HeadBlockID.Num())
	case p.LastIrreversibleBlockNum > p.HeadBlockNumber:
		return fmt.Errorf("block #%d is irreversible and the head is #%d", p.LastIrreversibleBlockNum, p.HeadBlockNumber)
	}
	return nil
}
