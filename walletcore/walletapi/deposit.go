package walletapi

import (
	"context"

	"billfold/walletcore"
	"billfold/walletcore/fault"
)

func depositMethods() []Method {
	const group = "Deposits"
	account := Param{Name: "account", Kind: Text, Help: "account name or id", Role: RoleAccount}
	return []Method{
		{Name: "deposits.next", Group: group, Touches: Reads, Reach: ReachAccount, Params: []Param{account, {Name: "limit", Kind: Uint32, Help: "at most 1000"}},
			Result: "list of {position, account, account_id, from, from_id, asset, asset_id, amount in smallest units as text, pretty_amount, memo, memo_status, history_id, block_num, trx_in_block, op_in_trx, time, proof}, oldest first; " +
				"proof is signatures: the miners' signatures show the transfer in its block; daemons: a proposal did it, which no block shows, and all daemons that --daemon-quorum asks agree on it. " +
				"What a proposal did is left out otherwise, and the log warns of it; in events, proof is node for what is not irreversible yet: one daemon's word",
			Help: "Lists incoming irreversible transfers that were not acknowledged yet.", Examples: []string{"shop 100"}, handle: onlyOverRPC},
		{Name: "deposits.ack", Group: group, Touches: Writes, Reach: ReachAccount, Params: []Param{account, {Name: "position", Kind: Text, Help: "of the last deposit that was dealt with"}},
			Result: "bool: false if it was acknowledged already", Help: "Acknowledges a deposit and all before it; deposits.next never lists them again.",
			Examples: []string{"shop 1234.0.0.0"}, handle: onlyOverRPC},
	}
}

func eventMethods() []Method {
	const group = "Events"
	return []Method{
		{Name: "subscribe", Group: group, Touches: Reads, Reach: ReachWallet, Result: "{topics, position}",
			Params: []Param{{Name: "topics", Kind: Text, Help: "some of blocks, balances, deposits, payments, lock; with commas"},
				{Name: "position", Kind: Text, Optional: true, Help: "of the last event that was received: those after it are sent again"}},
			Help: "Has events sent on this websocket, each with the method event.", Examples: []string{"blocks,deposits"}, handle: onlyOverRPC},
		{Name: "unsubscribe", Group: group, Touches: Reads, Reach: ReachWallet, Result: "{topics, position}", Params: []Param{{Name: "topics", Kind: Text, Optional: true, Help: "none: all of them"}},
			Help: "Ends the sending of events on this websocket.", handle: onlyOverRPC},
	}
}

// onlyOverRPC stands in where nobody provides the operation.
func onlyOverRPC(context.Context, *walletcore.Wallet, *Catalogue, args) (any, error) {
	return nil, &fault.Error{Code: fault.UnsupportedOperation, Message: "this operation is for programs that are connected to the wallet",
		Hint: "deposits are asked for over --rpc-http or --rpc-ws, events over a websocket"}
}
