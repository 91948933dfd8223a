package walletapi

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

type methodParams struct {
	Method string `json:"method" help:"name of an operation"`
}

type blockParams struct {
	Num uint32 `json:"num" help:"block number"`
}

type objectParams struct {
	ID ledger.ObjectID `json:"id" help:"object id such as 1.2.15"`
}

func generalMethods() []*Method {
	return []*Method{
		read("about", doc{Help: "Returns the versions of daemon and wallet.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (ledgerview.About, error) {
				return w.View.Chain.About(ctx, w.Versions)
			}),
		read("info", doc{Help: "Summarises the state of the chain.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (ledgerview.Info, error) { return w.View.Chain.Info(ctx) }),
		read("help", doc{Help: "Lists every wallet operation.", Result: "one line per operation", Reach: ReachChain},
			func(_ context.Context, w *Core, _ struct{}) (string, error) { return w.table.help(), nil }),
		read("get_help", doc{Help: "Explains one wallet operation.", Reach: ReachChain, Examples: []string{"transfer"}},
			func(_ context.Context, w *Core, p methodParams) (string, error) { return w.table.helpFor(p.Method) }),
		read("head_block_time", doc{Help: "Returns the time of the head block.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (ledger.Time, error) { return w.View.Chain.HeadTime(ctx) }),
		read(
			"get_block",
			doc{Help: "Reads a block.", Result: "null when there is none", Reach: ReachChain, Examples: []string{"12345"}},
			func(ctx context.Context, w *Core, p blockParams) (rawOrNull[ledger.Block], error) {
				block, err := w.View.Objects.Block(ctx, p.Num)
				return rawOrNull[ledger.Block](block), err
			},
		),
		read(
			"get_object",
			doc{
				Help: "Reads any object by its id.", Result: "one element: the object or null",
				Reach: ReachChain, Examples: []string{"1.2.34"},
			},
			func(ctx context.Context, w *Core, p objectParams) ([]json.RawMessage, error) {
				return w.View.Objects.Get(ctx, []ledger.ObjectID{p.ID})
			}),
		read("get_global_properties", doc{Help: "Reads the chain's parameters and fees.", Result: "the object 2.0.0", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (rawOf[ledger.GlobalProperties], error) {
				return raw[ledger.GlobalProperties](w.View.Objects.GlobalProperties(ctx))
			}),
		read(
			"get_dynamic_global_properties",
			doc{Help: "Reads the head block and what changes with each block.", Result: "the object 2.1.0", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (rawOf[ledger.DynamicGlobalProperties], error) {
				return raw[ledger.DynamicGlobalProperties](w.View.Objects.DynamicGlobalProperties(ctx))
			}),
	}
}
