package walletapi

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

type transactionIDParams struct {
	ID ledger.TransactionID `json:"id" help:"transaction id, 40 hex digits"`
}

type peersParams struct {
	Nodes []string `json:"nodes" help:"each address:port"`
}

type countersParams struct {
	Names []string `json:"names" help:"an empty list = all"`
}

// nodeMethods returns the operations on the daemon itself and on the chain as a whole.
func nodeMethods() []*Method {
	return []*Method{
		read("list_operations", doc{Help: "Lists every operation of the ledger with its current fee.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (rawList[ledger.OperationPrice], error) {
				return w.View.Objects.Operations(ctx)
			}),
		read(
			"get_transaction_by_id",
			doc{Help: "Reads a transaction that is in a block.", Result: "null when the daemon has no record of it", Reach: ReachChain,
				Examples: []string{"03401e144827592c665b85fcc5c71138472cae70"}},
			func(ctx context.Context, w *Core, p transactionIDParams) (rawOrNull[ledger.ProcessedTransaction], error) {
				tx, err := w.View.Objects.Transaction(ctx, p.ID)
				return rawOrNull[ledger.ProcessedTransaction](tx), err
			}),
		write("network_add_nodes", doc{Help: "Makes the daemon connect to more peers.", Examples: []string{`'["203.0.113.5:40000"]'`}},
			func(ctx context.Context, w *Core, p peersParams) (null, error) {
				return nil, w.View.Node.AddPeers(ctx, p.Nodes)
			}),
		read("network_get_connected_peers", doc{Help: "Lists the peers that the daemon is connected to."},
			func(ctx context.Context, w *Core, _ struct{}) ([]json.RawMessage, error) {
				return w.View.Node.Peers(ctx)
			}),
		write("reset_counters", doc{Help: "Resets the daemon's counters.", Examples: []string{"[]"}},
			func(ctx context.Context, w *Core, p countersParams) (null, error) {
				return nil, w.View.Node.ResetCounters(ctx, p.Names)
			}),
		read("get_counters", doc{Help: "Lists the daemon's counters.", Result: "by name", Examples: []string{"[]"}},
			func(ctx context.Context, w *Core, p countersParams) ([]ledgerview.Counter, error) {
				return w.View.Node.Counters(ctx, p.Names)
			}),
	}
}
